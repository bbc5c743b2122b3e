import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import type { ProviderId } from '#catalog/items/kinds.ts';
import { type Clock, systemClock } from '#core/clock/clock.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { startWorker } from '#core/jobs/worker.ts';
import { createLog } from '#core/log.ts';
import { testBlobs } from '#test/blobs.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { faultDoor, records } from '#test/fakes/fault-server.ts';
import { seriesOf } from '#test/series.ts';
import { bench, HOUR, outbound, serve } from '#test/sync-stand.ts';
import { until } from '#test/until.ts';
import { createSyncEngine, syncJob } from './engine.ts';
import { gaugeSync } from './gauges.ts';
import { readSyncState } from './sync-states.ts';

const MARK = 'test.mark';
const marking = { [MARK]: { handler: async () => null, concurrency: 1 } };

eachDatabase('sync jobs', (open) => {
  const start = async (database: TestDatabase, urls: Partial<Record<ProviderId, string>>) => {
    const clock = { now: () => Date.now() };
    const jobs = jobTable(database, clock);
    const log = createLog('silent');
    const ids = Object.keys(urls) as ProviderId[];
    const config = {
      providers: ids,
      urls,
      keys: {},
      interval_ms: HOUR,
      full_interval_ms: 24 * HOUR,
      public_url: 'http://x',
      version: '1',
    };
    const engine = createSyncEngine({
      db: database.db,
      jobs,
      clock,
      log,
      fetch: outbound.fetch,
      blobs: testBlobs(),
      config,
      providers: ids.map((id) => faultDoor(id)),
    });
    await engine.schedule();
    return startWorker({ jobs, kinds: { ...engine.kinds, ...marking }, clock, log, poll_ms: 10 });
  };
  const settled = (database: TestDatabase, id: ProviderId, status = 'succeeded') =>
    until(`${id} ${status}`, async () => (await readSyncState(database.db, id)).status === status);
  /** Runs a job that is due after all others, so when it is done, the others were handled. */
  const allLookedAt = async (database: TestDatabase, clock: Clock = systemClock) => {
    const jobs = jobTable(database, clock);
    await jobs.put({ kind: MARK, key: 'mark' });
    await until('the mark', async () => (await jobs.list(MARK)).length === 0);
  };

  test('several engines on one database sync a provider once', async () => {
    const database = await open();
    const beganMs = Date.now();
    const server = await serve(records(50));
    const workers = await Promise.all([1, 2, 3].map(() => start(database, { glama: server.url })));
    await settled(database, 'glama');
    await allLookedAt(database);
    workers.push(await start(database, { glama: server.url }));
    await allLookedAt(database);
    await Promise.all(workers.map((worker) => worker.stop()));
    const registry = new Registry();
    gaugeSync(registry, { db: database.db, clock: systemClock, enabled: ['glama', 'docker'] });
    const series = await seriesOf(registry, 'capstan_sync_');
    for (const [name, value] of Object.entries({ running: 0, records: 50, failures: 0 }))
      assert.ok(series.includes(`capstan_sync_${name}{provider="glama"} ${value}`), `${name}: ${series}`);
    const success = series.find((text) =>
      text.startsWith('capstan_sync_last_success_timestamp_seconds{provider="glama"}'),
    );
    assert.ok(Number(success?.split(' ')[1]) >= Math.floor(beganMs / 1_000), success ?? 'none');
    assert.deepEqual(
      series.filter((text) => text.includes('docker')),
      [],
      'what has not run has no numbers',
    );
    assert.deepEqual(
      server.requests.map((request) => request.cursor),
      [null, '10', '20', '30', '40'],
    );
  });

  test('a hanging provider does not delay other providers, and its job is released at shutdown', async () => {
    const database = await open();
    const hanging = await serve(records(5));
    hanging.fault = () => ({ hang: true });
    const server = await serve(records(50));
    const worker = await start(database, { glama: hanging.url, docker: server.url, smithery: server.url });
    await Promise.all([
      settled(database, 'docker'),
      settled(database, 'smithery'),
      settled(database, 'glama', 'running'),
    ]);
    // One request without a timeout, so it still hangs when the others have ended.
    assert.equal(hanging.requests.length, 1);
    await worker.stop();
    assert.equal((await readSyncState(database.db, 'glama')).status, 'running');
    hanging.fault = () => undefined;
    const next = await start(database, { glama: hanging.url });
    await settled(database, 'glama');
    await next.stop();
  });

  test('a job for a run that another process has just completed sends no request', async () => {
    const database = await open();
    const server = await serve(records(5));
    const { clock, engine, run } = await bench(database, server);
    await run();
    clock.ms -= HOUR;
    const jobs = jobTable(database, clock);
    await jobs.put({ kind: syncJob('glama'), key: 'glama', run_at_ms: 0 });
    const lease = await jobs.claim([syncJob('glama')], 'late', 60_000);
    assert.ok(lease);
    const signal = new AbortController().signal;
    const outcome = await engine.kinds[syncJob('glama')]?.handler({
      job: lease,
      signal,
      fence: (trx) => jobs.fence(trx, lease),
    });
    assert.deepEqual(outcome, { again_at_ms: clock.ms + HOUR });
    assert.equal(server.requests.length, 1);
  });

  test('a process syncs only the providers that its configuration enables', async () => {
    const database = await open();
    const server = await serve(records(5));
    const on = await bench(database, server);
    await on.engine.schedule();
    const off = await bench(database, server, {}, { providers: [] });
    await off.engine.schedule();
    const jobs = jobTable(database, on.clock);
    const worker = startWorker({
      jobs,
      kinds: { ...off.engine.kinds, ...marking },
      clock: on.clock,
      log: createLog('silent'),
      poll_ms: 5,
    });
    await allLookedAt(database, on.clock);
    await worker.stop();
    assert.equal(server.requests.length, 0);
    assert.equal((await jobs.list(syncJob('glama'))).length, 1);
    assert.equal((await readSyncState(database.db, 'glama')).status, 'never');
  });

  test('a request for a sync during a run starts one more run', async () => {
    const database = await open();
    const server = await serve(records(10));
    const { engine, run, clock } = await bench(database, server);
    await run();
    server.records = records(2);
    assert.equal((await run()).status, 'partial');
    const jobs = jobTable(database, clock);
    const answering = Promise.withResolvers<void>();
    server.fault = () => ({ until: answering.promise });
    const worker = startWorker({ jobs, kinds: engine.kinds, clock, log: createLog('silent'), poll_ms: 5 });
    await until('a run', () => server.requests.length === 3);
    await engine.syncNow('glama', { accept_fewer: true });
    answering.resolve();
    await settled(database, 'glama');
    await worker.stop();
    assert.equal((await readSyncState(database.db, 'glama')).last_full_seen, 2);
    assert.equal((await jobs.list(syncJob('glama')))[0]?.payload, 'null');
  });
});
