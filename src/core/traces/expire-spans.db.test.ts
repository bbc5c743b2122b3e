import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from '#core/clock/clock.ts';
import { scheduleExpiry } from '#core/jobs/expiry.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { startWorker } from '#core/jobs/worker.ts';
import { createLog } from '#core/log.ts';
import { eachDatabase } from '#test/databases.ts';
import { until } from '#test/until.ts';
import { deleteTracesBefore, EXPIRE_SPANS, expireSpansKind } from './expire-spans.ts';
import { sealedAmong, sealTrace } from './sealed-traces.ts';
import { deleteSpansBefore, insertSpans, listSpans } from './spans.ts';

const NOW = Date.UTC(2026, 2, 1);
const DAY_MS = 86_400_000;

const spansFrom = (trace_id: string, ageDays: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    trace_id,
    span_id: `${at}`.padStart(16, '0'),
    parent_span_id: null,
    name: 'run',
    duration_ms: 1,
    kind: 'internal' as const,
    status: 'ok' as const,
    attributes: {},
    events: [],
    started_at: isoTime(NOW - ageDays * DAY_MS + at),
  }));

eachDatabase('expiry of spans', (open, engine) => {
  test('the job deletes expired spans in batches and runs again in an hour', async () => {
    const database = await open();
    const { db } = database;
    await insertSpans(db, [...spansFrom('old', 31, 25), ...spansFrom('young', 29, 5)]);
    const clock = { now: () => NOW };
    const jobs = jobTable(database, clock);
    await scheduleExpiry(jobs, EXPIRE_SPANS, 'spans');
    await scheduleExpiry(jobs, EXPIRE_SPANS, 'spans');
    const kinds = expireSpansKind({ db, clock, retention_ms: 30 * DAY_MS, batch: 10 });
    const worker = startWorker({ jobs, kinds, clock, log: createLog('silent'), poll_ms: 5 });
    const due = async () => (await jobs.list(EXPIRE_SPANS)).map(({ run_at, leased_by }) => leased_by ?? run_at);
    await until('the next run', async () => (await due())[0] === isoTime(NOW + 3_600_000));
    await worker.stop();
    assert.equal((await due()).length, 1);
    assert.deepEqual([(await listSpans(db, 'old')).length, (await listSpans(db, 'young')).length], [0, 5]);
  });

  test('a batch deletes the oldest spans first, up to its size', async () => {
    const { db } = await open();
    await insertSpans(db, spansFrom('old', 40, 7));
    assert.equal(await deleteSpansBefore(db, isoTime(NOW), 3), 3);
    assert.deepEqual(
      (await listSpans(db, 'old')).map((span) => Number(span.span_id)),
      [3, 4, 5, 6],
    );
    assert.equal(await deleteSpansBefore(db, isoTime(NOW - 41 * DAY_MS), 3), 0);
    assert.equal(await deleteSpansBefore(db, isoTime(NOW), 300), 4);
  });

  test('spans can be read while others are being deleted', async () => {
    const { db } = await open();
    for (let at = 0; at < 10; at++) await insertSpans(db, spansFrom(`old${at}`, 40, 200));
    await insertSpans(db, spansFrom('young', 1, 20));
    let deleting = true;
    const deletion = (async () => {
      while ((await deleteSpansBefore(db, isoTime(NOW - 30 * DAY_MS), 100)) === 100) {}
      deleting = false;
    })();
    let answers = 0;
    for (; deleting; answers++) assert.equal((await listSpans(db, 'young')).length, 20);
    await deletion;
    // Of twenty batches: on SQLite, a reader waits for one of them; on PostgreSQL, for none.
    assert.ok(answers >= (engine === 'sqlite' ? 10 : 1), `${answers} answers`);
  });

  test('the seals of traces are deleted after their spans', async () => {
    const { db } = await open();
    for (const [trace_id, ageDays] of [
      ['old', 40],
      ['young', 10],
    ] as const) {
      await insertSpans(db, spansFrom(trace_id, ageDays, 3));
      await sealTrace(db, { trace_id, user_id: null, now_ms: NOW - ageDays * DAY_MS });
    }
    const remove = (most: number) => deleteTracesBefore(db, isoTime(NOW - 30 * DAY_MS), most);
    assert.equal(await remove(3), 3, 'a full batch of spans');
    assert.deepEqual([...(await sealedAmong(db, ['old', 'young']))].sort(), ['old', 'young']);
    assert.equal(await remove(3), 1, 'then the seal');
    assert.deepEqual([...(await sealedAmong(db, ['old', 'young']))], ['young']);
  });
});
