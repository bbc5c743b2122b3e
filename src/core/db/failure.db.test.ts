import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Problem } from '#core/problem/problem.ts';
import { eachDatabase, NO_POSTGRES, postgresConfig } from '#test/databases.ts';
import { startCable } from '#test/fakes/cable.ts';
import { startPostgres } from '#test/postgres.ts';
import { explainDatabaseFailure } from './failure.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';

test('503: database.unavailable when the server has stopped', { skip: NO_POSTGRES }, async () => {
  const server = await startPostgres();
  const database = await openDatabase({ engine: 'postgres', url: server.url, pool_size: 2 });
  await database.ping();
  await migrate(database);
  const nul = await database.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', 'a\0b')
    .execute()
    .catch((error) => explainDatabaseFailure(error));
  assert.equal((nul as Problem).code, 'http.invalid');
  await server.stop();
  const failure = await database.ping().then(
    () => assert.fail('answered without a server'),
    (error) => explainDatabaseFailure(error),
  );
  assert.ok(failure instanceof Problem);
  assert.deepEqual([failure.code, failure.reason], ['database.unavailable', 'unreachable']);
  await database.close();
});

test('503: database.unavailable when the server stops responding, also for open transactions', {
  skip: NO_POSTGRES,
}, async () => {
  const { config, drop } = await postgresConfig();
  const url = new URL((config as { url: string }).url);
  const cable = await startCable(Number(url.port));
  url.port = `${cable.port}`;
  const database = await openDatabase({ engine: 'postgres', url: url.href, pool_size: 2 });
  // A long statement does not mean that the server is gone: a caller waits while all connections are busy.
  const long = () => sql`SELECT pg_sleep(2.1)`.execute(database.db);
  await Promise.all([long(), long(), database.ping()]);
  // Between two statements, nothing waits for the connection, so nobody is notified of its end.
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = database.db.transaction().execute(async (trx) => {
    await sql`SELECT 1`.execute(trx);
    begun.resolve();
    await over.promise;
  });
  held.catch(() => {});
  await begun.promise;
  cable.cut();
  const asked = await Promise.allSettled(Array.from({ length: 6 }, () => database.ping()));
  assert.deepEqual(
    asked.map((outcome) => outcome.status === 'rejected' && (explainDatabaseFailure(outcome.reason) as Problem).code),
    Array(6).fill('database.unavailable'),
  );
  over.resolve();
  await assert.rejects(held);
  cable.mend();
  await database.ping();
  await database.close();
  cable.close();
  await drop();
});

test('503: database.unavailable on a full disk, and the transaction is rolled back', async () => {
  const database = await openDatabase({ engine: 'sqlite', path: ':memory:', thread: 'same' });
  const { db } = database;
  await sql`CREATE TABLE kept (text TEXT)`.execute(db);
  await sql`PRAGMA max_page_count = 20`.execute(db);
  const insert = (length: number, on: typeof db) => sql`INSERT INTO kept VALUES (${'x'.repeat(length)})`.execute(on);
  const failure = await db
    .transaction()
    .execute(async (trx) => {
      await insert(1, trx);
      await insert(1_000_000, trx);
    })
    .then(() => assert.fail('stored'), explainDatabaseFailure);
  assert.deepEqual([(failure as Problem).status, (failure as Problem).code], [503, 'database.unavailable']);
  await insert(1, db);
  assert.equal((await sql`SELECT * FROM kept`.execute(db)).rows.length, 1);
  await database.close();
});

test('an error in our own SQL is not converted to a Problem', async () => {
  const database = await openDatabase({ engine: 'sqlite', path: ':memory:', thread: 'same' });
  const failure = await sql`SELECT nothing FROM nowhere`.execute(database.db).catch((error) => error);
  assert.equal(explainDatabaseFailure(failure), failure);
  await database.close();
});

eachDatabase('a row whose owner is gone', (open) => {
  test('409: database.conflict if the owner of a new row was deleted in the meantime', async () => {
    const { db } = await open('own');
    const row = { user_id: 'gone', day: '2026-03-01', used: 1 };
    const failure = await db
      .insertInto('quota_days')
      .values(row)
      .execute()
      .then(() => assert.fail('stored for nobody'), explainDatabaseFailure);
    assert.ok(failure instanceof Problem);
    assert.deepEqual([failure.status, failure.code], [409, 'database.conflict']);
  });
});
