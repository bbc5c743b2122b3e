import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '../../../test/databases.ts';
import { startPostgres } from '../../../test/postgres.ts';
import { Problem } from '../problem.ts';
import { explainDatabaseFailure } from './failure.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';

test('503: a server that goes away is told as such, within two seconds', async () => {
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
  assert.equal((nul as Problem).code, 'database.nul_refused');
  await server.stop();
  const started = performance.now();
  const failure = await database.ping().then(
    () => assert.fail('answered without a server'),
    (error) => explainDatabaseFailure(error),
  );
  assert.ok(failure instanceof Problem);
  assert.equal(failure.code, 'database.unavailable');
  assert.ok(performance.now() - started < 2_500);
  await database.close();
});

test('an error in our SQL stays what it is: a bug', async () => {
  const database = await openDatabase({ engine: 'sqlite', path: ':memory:', thread: 'same' });
  const { sql } = await import('kysely');
  const failure = await sql`SELECT nothing FROM nowhere`.execute(database.db).catch((error) => error);
  assert.equal(explainDatabaseFailure(failure), failure);
  await database.close();
});

eachDatabase('a row of nobody', (open) => {
  test('409: its owner was deleted in the meantime', async () => {
    const { db } = await open();
    const row = { user_id: 'gone', day: '2026-03-01', used: 1 };
    const failure = await db
      .insertInto('quota_days')
      .values(row)
      .execute()
      .then(() => assert.fail('stored for nobody'), explainDatabaseFailure);
    assert.ok(failure instanceof Problem);
    assert.deepEqual([failure.status, failure.code], [409, 'database.owner_gone']);
  });
});
