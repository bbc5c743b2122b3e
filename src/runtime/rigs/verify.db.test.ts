import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { type RigsStand, rigsStand, STAND_YAML, standParts } from '#test/rigs-stand.ts';
import type { Gathered } from './rig-parts.ts';

/** Changes after locking, and the expected findings. */
const CHANGES: [change: (now: Gathered) => void, part: string, code: string, found: string | null][] = [
  [
    ({ parts }) => Object.assign(parts.skills[0] ?? {}, { digest: 'sha256:other' }),
    'skill skill/add',
    'changed',
    'sha256:other',
  ],
  [
    ({ parts }) => Object.assign(parts.servers[0]?.tools[0] ?? {}, { schema_hash: 'sha256:02' }),
    'tool high of tides',
    'tool_changed',
    'sha256:02',
  ],
  [gone('skill_gone', 'skill skill/add', ({ parts }) => parts.skills.pop()), 'skill skill/add', 'skill_gone', null],
  [gone('server_gone', 'server tides', ({ parts }) => parts.servers.pop()), 'tool high of tides', 'server_gone', null],
  [
    gone('tool_gone', 'tool high of tides', ({ parts }) => parts.servers[0]?.tools.pop()),
    'tool high of tides',
    'tool_gone',
    null,
  ],
  [
    gone('model_missing', 'model', ({ parts }) => Object.assign(parts, { model: null })),
    'model',
    'model_missing',
    null,
  ],
  [gone('server_unready', 'server other', () => {}), 'server other', 'server_unready', null],
];

function gone(code: Gathered['faults'][number]['code'], part: string, change: (now: Gathered) => void) {
  return (now: Gathered) => {
    change(now);
    now.faults.push({ code, part, detail: 'It is gone.' });
  };
}

const verify = async (stand: RigsStand, as: Parameters<RigsStand['ask']>[0], body: object = {}) =>
  (await stand.ask(as, 'POST', '/api/rigs/sum/verify', body)).body;

oneDatabase('verifying a rig', (open) => {
  test('200: verified while all parts match the lock; otherwise one finding per change and no checks', async () => {
    await using stand = await rigsStand(await open());
    const as = await stand.newUser();
    await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML });
    assert.equal((await verify(stand, as)).code, 'rigs.conflict');
    await stand.ask(as, 'POST', '/api/rigs/sum/resolve', {});
    const { verified, findings, checks } = await verify(stand, as, { run_checks: true });
    assert.deepEqual(
      [verified, findings, checks.map((check: { passed: boolean }) => check.passed)],
      [true, [], [true]],
    );
    for (const [change, part, code, found] of CHANGES) {
      stand.now = standParts();
      change(stand.now);
      const answer = await verify(stand, as, { run_checks: true });
      assert.equal(answer.verified, false, part);
      assert.deepEqual(
        [
          answer.findings.map((finding: object) => Object.values(finding).slice(0, 2)),
          answer.findings[0].found,
          answer.checks,
        ],
        [[[part, code]], found, null],
      );
    }
  });

  test('503: a second round of checks by the same user while one is running', async () => {
    await using stand = await rigsStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    for (const user of [as, other]) {
      await stand.ask(user, 'POST', '/api/rigs', { yaml: STAND_YAML });
      await stand.ask(user, 'POST', '/api/rigs/sum/resolve', {});
    }
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { runCheck } = stand.deps;
    stand.deps.runCheck = async (...asked) => {
      begun.resolve();
      await over.promise;
      return runCheck(...asked);
    };
    const first = verify(stand, as, { run_checks: true });
    await begun.promise;
    stand.deps.runCheck = runCheck;
    assert.equal((await verify(stand, as, { run_checks: true })).code, 'http.unavailable');
    assert.equal((await verify(stand, as)).verified, true);
    assert.equal((await verify(stand, other, { run_checks: true })).verified, true);
    over.resolve();
    assert.equal((await first).verified, true);
    assert.equal((await verify(stand, as, { run_checks: true })).verified, true);
  });

  test('200: not verified if a check fails', async () => {
    await using stand = await rigsStand(await open());
    const as = await stand.newUser();
    await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML.replace('name: adds', 'name: fails') });
    await stand.ask(as, 'POST', '/api/rigs/sum/resolve', {});
    assert.equal((await verify(stand, as)).verified, true);
    assert.equal((await verify(stand, as, { run_checks: true })).verified, false);
  });
});
