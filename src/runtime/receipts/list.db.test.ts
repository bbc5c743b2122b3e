import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { BegunCall, EndedCall } from '#core/call-records/call-record.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { createLog } from '#core/log.ts';
import { eachDatabase } from '#test/databases.ts';
import { openCallRecords } from './call-records.ts';
import { listReceipts } from './list.ts';
import { openReceiptKeys } from './receipt-keys.ts';
import { openReceipts } from './receipts.ts';

const END: EndedCall = { status: 'failed', reason: 'timed_out', result: null, facts: null };
const callOf = (user_id: string, tool: string): BegunCall => ({
  user_id,
  server: 'listing/glama/tides',
  listing: { name: 'glama/tides', address: 'https://tides.example/mcp' },
  tool,
  definition_sha256: 'ab'.repeat(32),
  arguments: {},
  trace_id: 'cd'.repeat(16),
});

eachDatabase('GET /api/receipts', (open) => {
  test('200: own calls, newest first, in progress, ended and signed, by pages', async () => {
    const database = await open();
    const { db } = database;
    const made = '2026-01-01T00:00:00.000Z';
    const account = { display_name: 'x', tier: 'free', is_operator: 0, created_at: made, updated_at: made } as const;
    await db
      .insertInto('users')
      .values(['ada', 'other'].map((id) => Object.assign({ id }, account)))
      .execute();
    const keys = keyProvider([createSecretKey(randomBytes(32))]);
    const clock = { ms: Date.parse('2026-03-01T12:00:00.000Z'), now: () => clock.ms };
    const records = openCallRecords({ database, clock, keys, log: createLog('silent'), calls_per_day: 50 });
    const receipt_keys = openReceiptKeys({ db, keys, clock });
    const receipts = openReceipts({ db, clock, keys, receipt_keys, origin: 'x/receipts' });
    const call = async (user: string, tool: string) => {
      const begun = records.begin(callOf(user, tool));
      await begun.stored;
      return begun;
    };
    const first = await call('ada', 'first');
    first.end(END);
    (await call('other', 'theirs')).end(END);
    await records.close();
    await receipts.signOwed();
    const next = openCallRecords({ database, clock, keys, log: createLog('silent'), calls_per_day: 50 });
    const second = next.begin(callOf('ada', 'second'));
    await second.stored;
    const third = next.begin(callOf('ada', 'third'));
    await third.stored;
    third.end({ ...END, status: 'completed', reason: null });
    await second.stored;

    const ask = async (query: { limit: number; before?: string }) => {
      const { body } = await listReceipts(db)({ query, caller: { user_id: 'ada' } } as never);
      return JSON.parse(body as string) as { items: Record<string, unknown>[]; next: string | null };
    };
    second.end(END);
    await next.close();
    const { items } = await ask({ limit: 50 });
    assert.deepEqual(
      items.map(({ tool, status, reason }) => [(tool as { name: string }).name, status, reason]),
      [
        ['third', 'completed', null],
        ['second', 'failed', 'timed_out'],
        ['first', 'failed', 'timed_out'],
      ],
    );
    assert.deepEqual(items[2], {
      id: first.receipt_id,
      name: 'tool/listing/glama/tides/first',
      tool: { server: 'listing/glama/tides', name: 'first' },
      status: 'failed',
      reason: 'timed_out',
      started_at: '2026-03-01T12:00:00.000Z',
      finished_at: '2026-03-01T12:00:00.000Z',
    });
    const page = await ask({ limit: 2 });
    assert.equal(page.next, items[1]?.id);
    const rest = await ask({ limit: 2, before: page.next ?? '' });
    assert.deepEqual([rest.items.map(({ id }) => id), rest.next], [[first.receipt_id], null]);

    // A receipt is signed while the page is read.
    const last = openCallRecords({ database, clock, keys, log: createLog('silent'), calls_per_day: 50 });
    const signed = last.begin(callOf('ada', 'signed meanwhile'));
    signed.end(END);
    await last.close();
    let reads = 0;
    const signing = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (++reads === 1) await receipts.signOwed();
        return result;
      },
    });
    const { body } = await listReceipts(signing)({ query: { limit: 50 }, caller: { user_id: 'ada' } } as never);
    const { items: all } = JSON.parse(body as string) as { items: { id: string; status: string }[] };
    assert.deepEqual(
      all.map(({ id }) => id),
      [signed.receipt_id, ...items.map(({ id }) => id)],
    );
  });
});
