import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { NO_POSTGRES, postgresConfig } from '#test/databases.ts';
import { type DatabaseConfig, openDatabase } from './open.ts';

/** A real PostgreSQL behind a proxy that delays or drops its responses. */

type Server = Extract<DatabaseConfig, { engine: 'postgres' }>;
let config: Server;
before(async () => {
  if (NO_POSTGRES) return;
  config = (await postgresConfig()).config as Server;
});

/**
 * `wait_ms` returns the delay of server responses on the nth connection, except for the first bytes; null drops them.
 */
async function behind(wait_ms: (nth: number) => number | null) {
  const { hostname, port } = new URL(config.url);
  const open = new Set<Socket>();
  let count = 0;
  const way = createServer((here) => {
    const wait = wait_ms(++count);
    const there = connect(Number(port), hostname);
    let until_ms = 0;
    there.on('data', (bytes) => {
      if (wait === null) return;
      const now_ms = performance.now();
      if (until_ms === 0) here.write(bytes);
      else setTimeout(() => here.writable && here.write(bytes), Math.max(0, until_ms - now_ms));
      until_ms ||= now_ms + wait;
    });
    here.on('data', (bytes) => there.write(bytes));
    for (const [one, other] of [[here, there] as const, [there, here] as const]) {
      open.add(one);
      one.on('error', () => {}).on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  const url = Object.assign(new URL(config.url), { hostname: '127.0.0.1', port: (way.address() as AddressInfo).port });
  const database = await openDatabase({ ...config, url: url.href, pool_size: 2 });
  after(async () => {
    await database.close();
    for (const one of open) one.destroy();
    way.close();
  });
  return { ask: () => sql`SELECT 1`.execute(database.db), tries: () => count };
}

test('waits for a server that is slow to accept connections', { skip: NO_POSTGRES }, async () => {
  const { ask, tries } = await behind((nth) => (nth <= 3 ? 2_500 : 0));
  await ask();
  assert.ok(tries() > 3, `${tries()}`);
});

test('reports a silent server within little more than two seconds', { skip: NO_POSTGRES }, async () => {
  const { ask } = await behind(() => null);
  const began_ms = performance.now();
  await assert.rejects(ask(), /timeout exceeded when trying to connect/);
  assert.ok(performance.now() - began_ms < 4_000);
});
