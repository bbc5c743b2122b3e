import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coreProblem } from '#core/errors.ts';
import { type Check, ok, warn } from './check.ts';
import { levelOf, reportJson, reportText } from './report.ts';
import { runChecks } from './run-checks.ts';

const clean = (text: string) => text.replace('hunter2', '…');
const check = (name: string, run: Check['run']): Check => ({ name, run });

test('a check that throws, rejects or hangs becomes a finding, and checks run independently', async () => {
  let aborted = false;
  const late = Promise.withResolvers<void>();
  const never = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      aborted = true;
      late.resolve();
    });
    return new Promise<never>(() => {});
  };
  const results = await runChecks(
    [
      check('fine', async () => [ok('hunter2 is there.')]),
      check('thrown', () => {
        throw new Error('no hunter2\nand more');
      }),
      check('refused', async () => {
        throw coreProblem('startup.unavailable', 'The key is none.', { reason: 'secret_key_malformed' });
      }),
      check('never', never),
      // Ends only after the usual timeout of another check.
      { name: 'patient', timeout_ms: 60_000, run: () => late.promise.then(() => [ok('done')]) },
    ],
    { timeout_ms: 50, clean },
  );
  assert.ok(aborted);
  assert.deepEqual(
    results.map(({ name, findings: [finding] }) => `${name}: ${finding?.level}: ${finding?.seen}`),
    [
      'fine: ok: … is there.',
      'thrown: fail: The check failed: no …',
      'refused: fail: The key is none.',
      'never: fail: The check timed out after 0.05 s.',
      'patient: ok: done',
    ],
  );
  assert.ok(results[2]?.findings[0]?.fix?.includes('docs/errors/startup.unavailable.md#secret_key_malformed'));
});

test('the doctor report lists each finding with its fix and a summary, as text and JSON', async () => {
  const results = await runChecks(
    [check('a', async () => [ok('Good.'), warn('Old.', 'Renew it')]), check('longer', async () => [ok('Fine.')])],
    { timeout_ms: 1_000, clean },
  );
  assert.equal(
    reportText(results),
    'ok    a       Good.\nwarn          Old.\n              → Renew it\nok    longer  Fine.\n\n2 ok, 1 warn, 0 fail\n',
  );
  const { level, checks } = JSON.parse(reportJson(results));
  assert.equal(level, levelOf(results));
  assert.deepEqual(checks[0].findings[1], { level: 'warn', seen: 'Old.', fix: 'Renew it' });
  assert.deepEqual([level, checks[0].level, checks[1].level], ['warn', 'warn', 'ok']);
});
