import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPostgres } from '../../../test/postgres.ts';
import { Problem } from '../problem.ts';
import { explainDatabaseFailure } from './failure.ts';
import { openDatabase } from './open.ts';

test('503: a server that goes away is told as such, within two seconds', async () => {
  const server = await startPostgres();
  const database = await openDatabase({ engine: 'postgres', url: server.url, pool_size: 2 });
  await database.ping();
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
