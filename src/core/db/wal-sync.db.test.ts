import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eachDatabase } from '#test/databases.ts';
import { openDatabase } from './open.ts';
import { openWalSync, SYNC_LATER } from './wal-sync.ts';

const inserted = (bucket: string) =>
  sql`INSERT INTO rate_windows (bucket, window_start, used, expires_at) VALUES (${bucket}, '1', 1, '2') ${sql.raw(SYNC_LATER)}`;

eachDatabase('writes that are on the disk later', (open, engine) => {
  test('are there for every reader at once, and on the disk with the next sync', async () => {
    const database = await open('own');
    const { db, config } = database;
    const other = await openDatabase(config);
    for (const bucket of ['a', 'b', 'c']) {
      await inserted(bucket).execute(db);
      const found = await other.db.selectFrom('rate_windows').select('used').where('bucket', '=', bucket).execute();
      assert.equal(found.length, 1);
      await Promise.all([database.sync(), database.sync()]);
    }
    await other.close();
    if (engine === 'sqlite')
      assert.deepEqual((await sql`PRAGMA synchronous`.execute(db)).rows, [{ synchronous: 2 }], 'all others as before');
    await db.transaction().execute((trx) => inserted('d').execute(trx));
    await assert.rejects(inserted('d').execute(db), /unique/i);
    await database.sync();
  });

  test('survive the kill of their process', { skip: engine === 'postgres' }, async () => {
    const { db, config } = await open('own');
    const program = `(async () => {
      const { openDatabase } = await import(${JSON.stringify(import.meta.resolve('./open.ts'))});
      const { sql } = await import('kysely');
      const { db } = await openDatabase(${JSON.stringify(config)});
      await sql.raw("INSERT INTO rate_windows VALUES ('kept', '1', 1, '2') ${SYNC_LATER}").execute(db);
      process.kill(process.pid, 'SIGKILL');
    })();`;
    const { signal, stderr } = spawnSync(process.execPath, ['-e', program], { cwd: import.meta.dirname });
    assert.equal(signal, 'SIGKILL', `${stderr}`);
    const kept = await db.selectFrom('rate_windows').select('bucket').execute();
    assert.deepEqual(kept, [{ bucket: 'kept' }]);
  });
});

test('a database without a log has nothing to put on the disk', async () => {
  const { sync, close } = openWalSync('/nowhere/capstan.db');
  await sync();
  close();
});
