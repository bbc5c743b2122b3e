import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { NO_POSTGRES, postgresConfig } from '#test/databases.ts';
import { startSlowWay } from '#test/fakes/slow-way.ts';
import { type DatabaseConfig, openDatabase } from './open.ts';

/** A real PostgreSQL behind a proxy that delays or drops its responses. */

type Server = Extract<DatabaseConfig, { engine: 'postgres' }>;
let config: Server;
before(async () => {
  if (NO_POSTGRES) return;
  config = (await postgresConfig()).config as Server;
});

async function behind(waitMs: (nth: number) => number | null) {
  const way = await startSlowWay(new URL(config.url), waitMs);
  const url = Object.assign(new URL(config.url), { hostname: '127.0.0.1', port: way.port });
  const database = await openDatabase({ ...config, url: url.href, pool_size: 2 });
  after(async () => {
    await database.close();
    way.close();
  });
  return { ask: () => sql`SELECT 1`.execute(database.db), tries: way.count };
}

test('a query waits for a PostgreSQL server that is slow to accept connections', { skip: NO_POSTGRES }, async () => {
  const { ask, tries } = await behind((nth) => (nth <= 3 ? 2_500 : 0));
  await ask();
  assert.ok(tries() > 3, `${tries()}`);
});

test('a query fails if the PostgreSQL server accepts the connection but stays silent', {
  skip: NO_POSTGRES,
}, async () => {
  const { ask } = await behind(() => null);
  await assert.rejects(ask(), /timeout exceeded when trying to connect/);
});
