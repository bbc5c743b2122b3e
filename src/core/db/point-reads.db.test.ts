import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eachDatabase } from '#test/databases.ts';
import { prepared } from './prepared.ts';

const usedOf = prepared(['bucket', 'least'], (db, { bucket, least }: { bucket: string; least: number }) =>
  db
    .selectFrom('rate_windows')
    .select('used')
    .where('bucket', '=', bucket)
    .where('window_start', '!=', 'never')
    .where('used', '>=', least),
);

eachDatabase('reads by key', (open) => {
  test('see every write that was answered, and nothing of a transaction that is open', async () => {
    const { db, reads } = await open('own');
    const row = { bucket: 'a', window_start: '1', expires_at: '2' };
    await db
      .insertInto('rate_windows')
      .values({ ...row, used: 1 })
      .execute();
    assert.deepEqual(await usedOf(reads, { bucket: 'a', least: 1 }), [{ used: 1 }]);
    for (let used = 2; used < 50; used++) {
      await db.updateTable('rate_windows').set({ used }).execute();
      assert.deepEqual(await usedOf(reads, { bucket: 'a', least: 2 }), [{ used }]);
    }
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('rate_windows').set({ used: 100 }).execute();
      assert.deepEqual(await usedOf(reads, { bucket: 'a', least: 1 }), [{ used: 49 }]);
      assert.deepEqual(await usedOf(trx, { bucket: 'a', least: 1 }), [{ used: 100 }]);
    });
    assert.deepEqual(await usedOf(reads, { bucket: 'a', least: 1 }), [{ used: 100 }]);
    assert.deepEqual(await usedOf(reads, { bucket: "a' OR 1=1 --", least: 1 }), []);
  });

  test('fail as all statements do', async () => {
    const { reads } = await open('own');
    await assert.rejects(sql`SELECT * FROM no_such_table`.execute(reads), /no_such_table/);
  });
});
