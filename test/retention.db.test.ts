import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from '#core/clock/clock.ts';
import { expireRowsKinds } from '#core/jobs/expire-rows.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import { expireReportsKind } from '#marketplace/moderation/expire-reports.ts';
import { expireIntentsKind } from '#runtime/receipts/jobs.ts';
import { eachDatabase } from './databases.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2027-06-01T00:00:00.000Z');
const clock = { now: () => NOW };
const ago = (days: number): string => isoTime(NOW - days * DAY_MS);

/** Some of each kind are over their age, more than are taken at once. */
eachDatabase('retention jobs', (open) => {
  test('delete expired rate windows, intents and closed reports in batches, and nothing else', async () => {
    const database = await open();
    const { db } = database;
    for (const [n, days] of [5, 4, 3, 1, -1].entries()) {
      const ends = { window_start: ago(days), used: 1, expires_at: ago(days) };
      await db
        .insertInto('rate_windows')
        .values({ bucket: `b${n}`, ...ends })
        .execute();
    }
    for (const [n, days] of [500, 450, 420, 410, 10].entries()) {
      const intent = { attempt: 1, envelope: '', digest: '', created_at: ago(days) };
      await db
        .insertInto('run_intents')
        .values({ run_id: `r${n}`, ...intent })
        .execute();
      const receipt = { envelope: '', key_id: 'k', created_at: ago(days), leaf_index: n };
      // The second run never came back.
      if (n !== 1)
        await db
          .insertInto('receipts')
          .values({ id: `x${n}`, run_id: `r${n}`, ...receipt })
          .execute();
    }
    const capability = {
      id: 'c',
      provider_id: 'glama',
      external_id: 'a',
      listing_type: 'skill',
      is_live: 1,
      stands_id: 'c',
    };
    await db
      .insertInto('capabilities')
      .values({ ...capability, evidence: '', confidence: 0, seq: 1, created_at: ago(500), updated_at: ago(500) })
      .execute();
    for (const [n, closed_at] of [ago(500), ago(450), ago(420), ago(1), null].entries())
      await db
        .insertInto('capability_reports')
        .values({
          id: `p${n}`,
          capability_id: 'c',
          reporter_id: null,
          kind: 'spam',
          text: '',
          outcome: '',
          entry_id: null,
          status: closed_at === null ? 'open' : 'dismissed',
          created_at: ago(600),
          closed_at,
        })
        .execute();
    const kept = 400 * DAY_MS;
    const sizes: number[] = [];
    const run = async (kinds: Record<string, JobKind>) => {
      const fence = async () => void sizes.push(1);
      for (const { handler } of Object.values(kinds))
        await handler({ job: {} as never, signal: new AbortController().signal, fence });
      return sizes.splice(0).length;
    };
    const swept = expireRowsKinds(database, clock, 2);
    assert.equal(await run({ it: swept['expire.rate_windows'] as JobKind }), 2, 'two transactions for three rows');
    await run(swept);
    assert.equal(await run(expireIntentsKind({ db, clock, intent_retention_ms: kept, batch: 2 })), 2);
    assert.equal(await run(expireReportsKind({ db, clock, report_retention_ms: kept, batch: 2 })), 2);
    const left = async (table: 'rate_windows' | 'run_intents' | 'receipts' | 'capability_reports', column: string) => {
      const rows = await db.selectFrom(table).selectAll().execute();
      return rows.map((row) => (row as unknown as Record<string, string>)[column]).sort();
    };
    assert.deepEqual(await left('rate_windows', 'bucket'), ['b3', 'b4']);
    assert.deepEqual(await left('run_intents', 'run_id'), ['r1', 'r4']);
    assert.deepEqual(await left('capability_reports', 'id'), ['p3', 'p4']);
    assert.equal((await left('receipts', 'id')).length, 4);
  });
});
