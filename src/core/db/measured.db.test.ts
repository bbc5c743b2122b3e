import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { systemClock } from '#core/clock/clock.ts';
import { onBehalfOf } from '#core/fair-queue/on-behalf-of.ts';
import { type Share, userShare } from '#core/fair-queue/share.ts';
import { eachDatabase, oneDatabase } from '#test/databases.ts';
import { seriesOf } from '#test/series.ts';
import { gaugeDatabase } from './gauges.ts';

eachDatabase('database metrics', (open, engine) => {
  test('metrics count statements by kind, failed statements, and waits for a connection', async () => {
    const database = await open('own');
    const { db, meter } = database;
    const registry = new Registry();
    gaugeDatabase(registry, database, systemClock);
    await db.selectFrom('jobs').selectAll().execute();
    await sql`UPDATE jobs SET failures = 0`.execute(db);
    await db.transaction().execute((trx) => trx.deleteFrom('jobs').execute());
    await assert.rejects(sql`SELECT nothing FROM nowhere`.execute(db));
    await assert.rejects(db.transaction().execute(() => Promise.reject(new Error('a change of mind'))));
    const series = await seriesOf(registry, 'capstan_database_');
    const counted = (kind: string) =>
      series.find((text) => text.includes(`query_seconds_count{kind="${kind}"}`))?.at(-1);
    assert.deepEqual(['select', 'update', 'delete', 'begin', 'commit', 'rollback'].map(counted), [...'211211']);
    assert.ok(series.includes('capstan_database_errors_total{kind="select"} 1'));
    assert.ok(series.includes('capstan_database_connections_in_use 0'));
    assert.ok(series.includes('capstan_database_up 1'));

    const order: number[] = [];
    const held = Promise.withResolvers<void>();
    const users = Array.from({ length: 8 }, (_, at) =>
      db.transaction().execute(async () => {
        order.push(at);
        await held.promise;
      }),
    );
    while (order.length < (engine === 'sqlite' ? 1 : 4)) await new Promise(setImmediate);
    assert.deepEqual([meter.in_use, meter.waiting], engine === 'sqlite' ? [1, 7] : [4, 4]);
    held.resolve();
    await Promise.all(users);
    assert.deepEqual([meter.in_use, meter.waiting], [0, 0]);
    if (engine === 'sqlite') assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7], 'first come, first served');
    await database.close();
    assert.ok((await seriesOf(registry, 'capstan_database_up'))[0]?.endsWith(' 1'), 'for 15 s');
  });
});

oneDatabase('turns of the one connection', (open) => {
  test('on the only SQLite connection, a user does not wait behind the statements of others', async () => {
    const { db, close } = await open('own');
    const order: string[] = [];
    const ask = (name: string, share: Share): Promise<void> =>
      onBehalfOf(
        () => share,
        async () => {
          await sql`SELECT 1`.execute(db);
          order.push(name);
        },
      );
    const flood = Array.from({ length: 60 }, (_, n) => ask('flood', { user_id: null, address: `203.0.113.${n % 3}` }));
    const attacker = Array.from({ length: 60 }, () => ask('attacker', userShare('eve')));
    await ask('victim', userShare('ada'));
    assert.ok(order.indexOf('victim') <= 3, order.slice(0, 10).join());
    await Promise.all([...flood, ...attacker]);
    assert.deepEqual(order.length, 121);
    await close();
  });
});

test('gauges are omitted while the database is unavailable', async () => {
  const registry = new Registry();
  const clock = { now: () => 0 };
  const { keptReading, readGauge } = await import('#core/metrics/gauges.ts');
  const reading = keptReading(clock, () => Promise.reject(new Error('gone')));
  readGauge(registry, { name: 'a_number', help: 'x' }, reading as never);
  assert.deepEqual(await seriesOf(registry, 'a_number'), []);
});
