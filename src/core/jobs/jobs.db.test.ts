import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { isoTime } from '#core/clock/clock.ts';
import { createLog } from '#core/log.ts';
import { eachDatabase } from '#test/databases.ts';
import { seriesOf } from '#test/series.ts';
import { until } from '#test/until.ts';
import { gaugeJobs } from './gauges.ts';
import { jobTable, type Lease, LeaseLost } from './jobs.ts';
import { backoff, type JobHandler, startWorker } from './worker.ts';

const silent = createLog('silent');
const START = Date.parse('2026-01-01T00:00:00Z');
function movable() {
  const clock = { ms: START, now: () => clock.ms };
  return clock;
}

eachDatabase('jobs', (open) => {
  test('putting a job twice keeps one, with the earlier time', async () => {
    const clock = movable();
    const jobs = jobTable(await open(), clock);
    await jobs.put({ kind: 'k', key: 'a', run_at_ms: START + 60_000 });
    await jobs.put({ kind: 'k', key: 'a', run_at_ms: START + 5_000 });
    await jobs.put({ kind: 'k', key: 'a', run_at_ms: START + 90_000 });
    const rows = await jobs.list('k');
    assert.deepEqual(
      rows.map((row) => row.run_at),
      ['2026-01-01T00:00:05.000Z'],
    );
    assert.equal(await jobs.claim(['k'], 'w', 1_000), null);
    clock.ms += 5_000;
    assert.equal((await jobs.claim(['k'], 'w', 1_000))?.key, 'a');
  });

  test('twenty concurrent claims of ten jobs return each job once', async () => {
    const jobs = jobTable(await open(), movable());
    for (let n = 0; n < 10; n++) await jobs.put({ kind: 'k', key: `${n}` });
    const claims = await Promise.all(Array.from({ length: 20 }, (_, n) => jobs.claim(['k'], `w${n}`, 1_000)));
    const keys = claims.flatMap((lease) => (lease === null ? [] : [lease.key]));
    assert.deepEqual(keys.sort(), ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  test('jobs of a new share run next, even if 50 others have a backlog, over several processes', async () => {
    const clock = movable();
    const database = await open();
    const [here, there] = [jobTable(database, clock), jobTable(database, clock)];
    const attackers = Array.from({ length: 50 }, (_, n) => `user:attacker-${n}`);
    for (const share of attackers)
      for (let n = 0; n < 4; n++) await here.put({ kind: 'task', key: `${share} ${n}`, share });
    /** Each job ends before the next one starts. */
    const serve = async (times: number): Promise<string[]> => {
      const served: string[] = [];
      for (let n = 0; n < times; n++) {
        clock.ms += 1;
        const jobs = n % 2 === 0 ? here : there;
        const lease = (await jobs.claim(['task'], 'w', 60_000)) as Lease;
        served.push(lease.share as string);
        await jobs.complete(lease, null);
      }
      return served;
    };
    assert.equal(new Set(await serve(50)).size, 50, 'each attacker had one turn');
    clock.ms += 1;
    await here.put({ kind: 'task', key: 'v', share: 'user:victim' });
    assert.deepEqual(await serve(1), ['user:victim']);
  });

  test("the share with the fewest running jobs goes first, after the service's own jobs", async () => {
    const clock = movable();
    const jobs = jobTable(await open(), clock);
    for (const key of ['a0', 'a1', 'a2']) await jobs.put({ kind: 'task', key, share: 'user:a' });
    assert.equal((await jobs.claim(['task'], 'w', 60_000))?.key.slice(0, 1), 'a');
    clock.ms += 1_000;
    for (const key of ['b0', 'b1']) await jobs.put({ kind: 'task', key, share: 'user:b' });
    await jobs.put({ kind: 'task', key: 'own' });
    const order: string[] = [];
    for (let n = 0; n < 5; n++) {
      clock.ms += 1;
      order.push((await jobs.claim(['task'], 'w', 60_000))?.key.replace(/\d/, '') as string);
    }
    assert.deepEqual(order, ['own', 'b', 'a', 'b', 'a']);
  });

  test('a claim can skip a share and all new accounts', async () => {
    const jobs = jobTable(await open(), movable());
    for (const share of ['user:a', 'new:203.0.113.0/24', 'user:b']) await jobs.put({ kind: 'task', key: share, share });
    const claimed = await jobs.claim(['task'], 'w', 60_000, { shares: ['user:a'], guests: true });
    assert.equal(claimed?.key, 'user:b');
    assert.equal(await jobs.claim(['task'], 'w', 60_000, { shares: ['user:a'], guests: true }), null);
  });

  test('a worker leaves slots free by limiting each share and all new accounts together', async () => {
    const database = await open();
    const clock = { now: () => Date.now() };
    const jobs = jobTable(database, clock);
    const begun: string[] = [];
    const stop = Promise.withResolvers<void>();
    const handler: JobHandler = async ({ job }) => {
      begun.push(job.share as string);
      await stop.promise;
      return null;
    };
    const task = { handler, concurrency: 4, per_share: 2, of_guests: 3 };
    for (let n = 0; n < 4; n++) await jobs.put({ kind: 'task', key: `a${n}`, share: 'new:a' });
    for (let n = 0; n < 4; n++) await jobs.put({ kind: 'task', key: `b${n}`, share: 'new:b' });
    const worker = startWorker({ jobs, kinds: { task }, clock, log: silent, poll_ms: 20 });
    await until('three tasks of new accounts', () => begun.length === 3);
    await jobs.put({ kind: 'task', key: 'v', share: 'user:victim' });
    worker.wake();
    await until('the task of the victim', () => begun.length === 4);
    assert.deepEqual(begun, ['new:a', 'new:b', 'new:a', 'user:victim']);
    stop.resolve();
    await worker.stop();
  });

  test('an expired lease is taken over, and its former holder can no longer write', async () => {
    const clock = movable();
    const database = await open();
    const jobs = jobTable(database, clock);
    await jobs.put({ kind: 'k', key: 'a' });
    const first = await jobs.claim(['k'], 'one', 1_000);
    assert.ok(first);
    clock.ms += 1_001;
    const second = await jobs.claim(['k'], 'two', 1_000);
    assert.ok(second);
    assert.equal(second.attempt, first.attempt + 1);
    assert.equal(await jobs.heartbeat(first, 1_000), false);
    await assert.rejects(
      database.db.transaction().execute((trx) => jobs.fence(trx, first)),
      LeaseLost,
    );
    await jobs.complete(first, null);
    assert.equal((await jobs.list('k')).length, 1);
    await database.db.transaction().execute((trx) => jobs.fence(trx, second));
    await jobs.complete(second, null);
    assert.equal((await jobs.list('k')).length, 0);
  });

  test('two workers on one database run each job once, and failed jobs are scheduled again', async () => {
    const database = await open();
    const clock = movable();
    const jobs = jobTable(database, clock);
    const runs: string[] = [];
    const handler: JobHandler = async ({ job }) => {
      runs.push(`${job.key}#${job.failures}`);
      if (job.key === 'fails') throw new Error('no');
      return null;
    };
    const kinds = { k: { handler, concurrency: 2 } };
    for (const key of ['a', 'b', 'c', 'fails']) await jobs.put({ kind: 'k', key });
    const registry = new Registry();
    const meter = gaugeJobs(registry, { db: database.db, clock });
    assert.deepEqual(await seriesOf(registry, 'capstan_queue_due'), ['capstan_queue_due{kind="k"} 4']);
    const workers = [1, 2].map(() => startWorker({ jobs, kinds, clock, log: silent, meter, poll_ms: 5 }));
    const isHeld = async () => (await jobs.list('k')).some((row) => row.leased_by !== null);
    await until('an end of all four', async () => runs.length === 4 && !(await isHeld()));
    await Promise.all(workers.map((worker) => worker.stop()));
    assert.deepEqual(runs.sort(), ['a#0', 'b#0', 'c#0', 'fails#0']);
    const [row] = await jobs.list('k');
    assert.equal(row?.last_error, 'no');
    assert.equal(row?.failures, 1);
    assert.ok(Date.parse(row?.run_at ?? '') > START);
    assert.deepEqual(await seriesOf(registry, 'capstan_jobs_'), [
      'capstan_jobs_running{kind="k"} 0',
      'capstan_jobs_total{kind="k",end="done"} 3',
      'capstan_jobs_total{kind="k",end="failed"} 1',
    ]);
    const later = new Registry();
    gaugeJobs(later, { db: database.db, clock });
    const queue = await seriesOf(later, 'capstan_queue_');
    const of = (name: string, count: number) => `capstan_queue_${name}{kind="k"} ${count}`;
    assert.deepEqual(queue, [of('jobs', 1), of('due', 0), of('leased', 0), of('failing', 1), of('oldest_seconds', 0)]);
  });

  test('jobs are not delayed after the clock was temporarily ahead', async () => {
    const clock = movable();
    const jobs = jobTable(await open(), clock);
    const runs: number[] = [];
    const handler: JobHandler = async () => {
      runs.push(clock.ms);
      return { again_at_ms: clock.ms + 60_000 };
    };
    await jobs.put({ kind: 'k', key: 'hourly' });
    const worker = startWorker({ jobs, kinds: { k: { handler, concurrency: 1 } }, clock, log: silent, poll_ms: 5 });
    const standsFor = (runAtMs: number) =>
      until(`a job for ${isoTime(runAtMs)}`, async () => {
        const [row] = await jobs.list('k');
        return row?.leased_by === null && row.run_at === isoTime(runAtMs);
      });
    await standsFor(START + 60_000);
    clock.ms += 365 * 86_400_000;
    await standsFor(clock.ms + 60_000);
    clock.ms -= 365 * 86_400_000;
    await until('a job that is brought forward', async () => (await jobs.list('k'))[0]?.run_at.startsWith('2026'));
    clock.ms += 61_000;
    await until('the third run', () => runs.length === 3);
    await worker.stop();
    assert.deepEqual(runs, [START, START + 365 * 86_400_000, START + 61_000]);
  });

  test('a stopping worker releases its running job immediately', async () => {
    const database = await open();
    const clock = { now: () => Date.now() };
    const jobs = jobTable(database, clock);
    await jobs.put({ kind: 'k', key: 'long' });
    let started = () => {};
    const begun = new Promise<void>((resolve) => (started = resolve));
    const handler: JobHandler = async ({ signal }) => {
      started();
      await once(signal, 'abort');
      throw signal.reason;
    };
    const worker = startWorker({ jobs, kinds: { k: { handler, concurrency: 1 } }, clock, log: silent, poll_ms: 5 });
    await begun;
    await worker.stop();
    const lease = await jobs.claim(['k'], 'next', 1_000);
    assert.equal(lease?.key, 'long');
    assert.equal(lease?.failures, 0);
  });
});

test('backoff doubles up to a maximum', () => {
  assert.equal(backoff(0, 0.5), 5_000);
  assert.equal(backoff(3, 0.5), 40_000);
  assert.equal(backoff(2, 0.5, 250), 1_000);
  assert.equal(backoff(100, 0.5), 15 * 60_000);
  assert.ok(backoff(1, 0) < backoff(1, 1));
});
