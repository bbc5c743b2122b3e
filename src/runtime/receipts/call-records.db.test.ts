import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { BegunCall, EndedCall } from '#core/call-records/call-record.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { createLog } from '#core/log.ts';
import { eachDatabase, type OpenTestDatabase } from '#test/databases.ts';
import { verifyBundle } from './bundle.ts';
import { openCallRecords } from './call-records.ts';
import { receiptsHolding } from './holding.ts';
import { openReceiptKeys } from './receipt-keys.ts';
import { openReceipts } from './receipts.ts';

const DONE: EndedCall = { status: 'completed', reason: null, result: { content: [] }, facts: null };
const callOf = (user_id: string, tool = 'echo'): BegunCall => ({
  user_id,
  server: 'listing/glama/tides',
  listing: { name: 'glama/tides', address: 'https://tides.example/mcp' },
  tool,
  definition_sha256: 'ab'.repeat(32),
  arguments: {},
  trace_id: 'cd'.repeat(16),
});

/** One process; `restarted` is the next one, on the same database. */
async function stand(open: OpenTestDatabase) {
  const database = await open();
  const { db } = database;
  const keys = keyProvider([createSecretKey(randomBytes(32))]);
  const clock = { ms: Date.now(), now: () => clock.ms };
  const started = () => {
    const receipt_keys = openReceiptKeys({ db, keys, clock });
    return {
      records: openCallRecords({ db, clock, keys, log: createLog('silent') }),
      receipts: openReceipts({ db, clock, keys, receipt_keys, origin: 'x/receipts' }),
    };
  };
  const signed = () => db.selectFrom('receipts').select(['id', 'user_id']).orderBy('id').execute();
  return { db, clock, signed, restarted: started, ...started() };
}

eachDatabase('records of tool calls', (open) => {
  test('a killed process leaves calls that the next one signs, once: as ended if that was stored, else interrupted', async () => {
    const { db, clock, records, signed, restarted } = await stand(open);
    const ended = records.begin(callOf('ada'));
    const cutOff = records.begin(callOf('ada'));
    await Promise.all([ended.stored, cutOff.stored]);
    ended.end(DONE);
    await records.close();
    const next = restarted();
    assert.equal(await next.receipts.signOwed(), 1, 'the other may still be in progress');
    await assert.rejects(next.receipts.bundle(cutOff.receipt_id), { code: 'receipts.unavailable' });
    clock.ms += 20_000;
    const bundles = await Promise.all([ended, cutOff].map(({ receipt_id }) => next.receipts.bundle(receipt_id)));
    const statuses = bundles.map((bundle) => {
      const verified = verifyBundle(bundle);
      return verified.consistent && verified.statement.predicate.status;
    });
    assert.deepEqual(statuses, ['completed', 'interrupted']);
    // The process was not killed, but slow.
    cutOff.end(DONE);
    await records.close();
    await next.receipts.signOwed();
    assert.deepEqual(
      (await signed()).map(({ id }) => id),
      [ended.receipt_id, cutOff.receipt_id].sort(),
    );
    assert.deepEqual(await db.selectFrom('owed_receipts').select('id').execute(), []);
    await next.records.close();
  });

  test('several processes sign the same calls, and each has one receipt', async () => {
    const { records, receipts, signed, restarted } = await stand(open);
    const calls = Array.from({ length: 30 }, () => records.begin(callOf('ada')));
    await Promise.all(calls.map(({ stored }) => stored));
    for (const call of calls) call.end(DONE);
    await records.close();
    const other = restarted();
    const [first] = calls;
    await Promise.all([
      receipts.signOwed(),
      other.receipts.signOwed(),
      receipts.bundle(first?.receipt_id ?? ''),
      other.receipts.signOwed(),
    ]);
    assert.deepEqual(
      (await signed()).map(({ id }) => id),
      calls.map(({ receipt_id }) => receipt_id).sort(),
    );
    await other.records.close();
  });

  test('users take turns', async () => {
    const { records, receipts, signed } = await stand(open);
    await Promise.all(
      Array.from({ length: 100 }, () => records.refuse(callOf('flood'), { ...DONE, status: 'refused' })),
    );
    await records.refuse(callOf('ada'), { ...DONE, status: 'refused' });
    await receipts.signOwed();
    const owners = (await signed()).map(({ user_id }) => user_id);
    assert.ok(owners.includes('ada') && owners.length < 101, 'one batch has calls of both');
    await records.close();
  });

  test('calls of a deleted account are signed without their owner', async () => {
    const { db, records, receipts, signed } = await stand(open);
    await records.refuse(callOf('ada'), { ...DONE, status: 'refused', reason: 'tool_changed' });
    await db.transaction().execute(async (trx) => {
      await receiptsHolding.erase?.(trx, { user_id: 'ada' } as never);
    });
    await receipts.signOwed();
    assert.deepEqual(
      (await signed()).map(({ user_id }) => user_id),
      [null],
    );
    await records.close();
  });
});
