import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteUserRow, lockUser } from '#accounts/users/users.ts';
import { explainDatabaseFailure } from '#core/db/failure.ts';
import type { Problem } from '#core/problem/problem.ts';
import { makeHarness } from '#runtime/harnesses/change-harnesses.ts';
import { harnessesHolding } from '#runtime/harnesses/holding.ts';
import { readUsage } from '#runtime/harnesses/usage.ts';
import { eachDatabase } from '#test/databases.ts';
import { HARNESS_FILE, harnessesStand } from '#test/harnesses-stand.ts';
import { raceWriters } from '#test/race-writers.ts';
import { writeMemories } from './change-memories.ts';

eachDatabase('writing memories', (open) => {
  test('200: writes all memories or none, and exactly up to the account’s limit', async () => {
    const { ask, refusal, newUser, newHarness, deps } = harnessesStand(await open(), { memories_per_user: 12 });
    const as = await newUser();
    const { id } = await newHarness(as);
    const write = (...memories: object[]) => ({ id, body: { memories } });
    const one = (path: string, more: object = {}) => ({ path, content: path, ...more });
    const { items } = (await ask(as, 'memory.write', write(one('a'), one('b')))).body;
    assert.deepEqual(
      items.map((item: { version: number }) => item.version),
      [1, 1],
    );
    const changed = write(one('a', { content: 'new' }), one('b', { if_sha256: null }));
    assert.equal(await refusal(as, 'memory.write', changed), '409 harnesses.conflict');
    assert.equal(await refusal(as, 'memory.write', write(one('c'), one('C'))), '400 http.invalid /memories/1/path');
    assert.equal((await ask(as, 'memory.get', { id, path: 'a' })).body.content, 'a');
    const raced = Array.from({ length: 20 }, (_, at) => ask(as, 'memory.write', write(one(`r${at}`))));
    const done = (await Promise.allSettled(raced)).filter((outcome) => outcome.status === 'fulfilled').length;
    assert.deepEqual([done, (await readUsage(deps.db, as.id))?.memories], [10, 12]);
  });

  test('with the same precondition, exactly one of several concurrent writers succeeds', async () => {
    const { deps, newUser, newHarness } = harnessesStand(await open());
    const as = await newUser();
    const { id } = await newHarness(as);
    const rounds = await raceWriters(deps, { user_id: as.id, ref: id }, { rounds: 3, writers: 8 });
    assert.deepEqual(rounds, { winners: [1, 1, 1], versions: 3, contents: 3, newest_is_last_winner: true });
  });

  test('deleting an account during concurrent writes removes all its data without a deadlock', async () => {
    const { deps, newUser, newHarness } = harnessesStand(await open());
    for (const hasHarness of [true, false]) {
      const as = await newUser();
      if (hasHarness) await newHarness(as);
      const ref = { user_id: as.id, ref: 'release-notes' };
      const erase = deps.db.transaction().execute(async (trx) => {
        await harnessesHolding.release?.(trx, { user_id: as.id, wallets: [], email: null });
        await lockUser(trx, as.id);
        await deleteUserRow(trx, as.id);
      });
      const writers = [
        ...['a', 'b'].map((path) => writeMemories(deps, ref, [{ path, content: path }])),
        makeHarness(deps, as.id, { files: [HARNESS_FILE] }),
        erase,
      ];
      const allowed = /^(database\.conflict|harnesses\.(not_found|conflict))$/;
      for (const ended of await Promise.allSettled(writers))
        if (ended.status === 'rejected')
          assert.match((explainDatabaseFailure(ended.reason) as Problem).code, allowed, `${ended.reason}`);
      await erase;
      assert.equal(await readUsage(deps.db, as.id), undefined);
    }
    assert.deepEqual(await deps.db.selectFrom('memory_words').selectAll().execute(), []);
  });
});
