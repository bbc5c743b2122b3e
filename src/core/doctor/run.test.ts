import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Handler } from '#core/http/operation.ts';
import { compileSchema } from '#core/http/validate.ts';
import { ok, warn } from './check.ts';
import { doctorContract } from './contract.ts';
import { runDoctorChecks } from './run.ts';

const fits = compileSchema(doctorContract.run.answers[200].content['application/json'].schema);

test('200: a report with the worst level, shared by requests that arrive meanwhile', async () => {
  let runs = 0;
  const ready = Promise.withResolvers<void>();
  const examine = async () => {
    runs++;
    await ready.promise;
    return [
      { name: 'clock', findings: [ok('Right.')], took_ms: 1.4 },
      { name: 'disk', findings: [ok('Writable.'), warn('Nearly full.', 'Free some space')], took_ms: 2 },
    ];
  };
  const handler = runDoctorChecks({ clock: { now: () => 0 }, examine }) as Handler;
  const ask = async () => JSON.parse((await handler({} as never)).body as string);
  const asked = [ask(), ask()];
  ready.resolve();
  const [first, second] = await Promise.all(asked);
  assert.deepEqual([fits(first), runs, first], [[], 1, second]);
  assert.deepEqual(
    [first.level, first.checks[1].level, first.checks[1].findings[1].fix],
    ['warn', 'warn', 'Free some space'],
  );
  await ask();
  assert.equal(runs, 2);
});

test('a run that fails is not kept', async () => {
  let runs = 0;
  const examine = async () => {
    if (++runs === 1) throw new Error('no');
    return [];
  };
  const handler = runDoctorChecks({ clock: { now: () => 0 }, examine }) as Handler;
  await assert.rejects(async () => handler({} as never));
  assert.equal(JSON.parse((await handler({} as never)).body as string).level, 'ok');
});
