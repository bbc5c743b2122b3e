import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { BegunCall, EndedCall } from '#core/call-records/call-record.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { createLog } from '#core/log.ts';
import type { Problem } from '#core/problem/problem.ts';
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
  const made = '2026-01-01T00:00:00.000Z';
  const account = { display_name: 'x', tier: 'free', is_operator: 0, created_at: made, updated_at: made } as const;
  await db
    .insertInto('users')
    .values(['ada', 'flood'].map((id) => Object.assign({ id }, account)))
    .execute();
  const keys = keyProvider([createSecretKey(randomBytes(32))]);
  const clock = { ms: Date.parse('2026-03-01T12:00:00.000Z'), now: () => clock.ms };
  const started = () => {
    const receipt_keys = openReceiptKeys({ db, keys, clock });
    return {
      records: openCallRecords({ database, clock, keys, log: createLog('silent'), calls_per_day: 50 }),
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

  test('a call that is recorded after its account was deleted is signed without its owner', async () => {
    const { records, receipts, signed } = await stand(open);
    await records.refuse(callOf('nobody'), { ...DONE, status: 'refused', reason: 'tool_changed' });
    await receipts.signOwed();
    assert.deepEqual(
      (await signed()).map(({ user_id }) => user_id),
      [null],
    );
    await records.close();
  });

  test('429: more calls in 24 hours than the limit, over two processes; others are not affected, and the next day is free', async () => {
    const { db, clock, records, restarted } = await stand(open);
    const other = restarted();
    const admit = (n: number) => (n % 2 === 0 ? records : other.records).admit('ada');
    const answers = await Promise.allSettled(Array.from({ length: 80 }, (_, n) => admit(n)));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 50);
    await assert.rejects(records.admit('ada'), (error: Problem) => {
      const at = /Retry after (.*)\.$/.exec(error.message)?.[1] ?? '';
      const waitS = Number(error.headers?.['retry-after']);
      assert.deepEqual([error.code, error.status], ['receipts.limit_exceeded', 429]);
      assert.ok(waitS > 0 && Math.abs(Date.parse(at) - clock.ms - waitS * 1_000) <= 1_000, `${at}, ${waitS} s`);
      return true;
    });
    await Promise.all([records.admit('bob'), records.admit(null)]);
    const windows = await db.selectFrom('rate_windows').select('bucket').execute();
    assert.equal(windows.length, 2, 'one row an account');
    assert.deepEqual(await db.selectFrom('owed_receipts').select('id').execute(), []);
    clock.ms += 2 * 86_400_000;
    await records.admit('ada');
    await Promise.all([records.close(), other.records.close()]);
  });

  test('a user has a limited number of open calls, which leaves room for others, and ends give them back', async () => {
    const { records } = await stand(open);
    const calls = Array.from({ length: 256 }, () => records.begin(callOf('flood')));
    assert.throws(() => records.begin(callOf('flood')), { code: 'http.limit_exceeded', reason: 'concurrency' });
    await assert.rejects(records.refuse(callOf('flood'), DONE), { code: 'http.limit_exceeded' });
    await records.refuse(callOf('ada'), DONE);
    await Promise.all(calls.map(({ stored }) => stored));
    for (const call of calls) call.end(DONE);
    await records.close();
    const next = records.begin(callOf('flood'));
    await next.stored;
    next.end(DONE);
    await records.close();
  });

  test('calls that cannot be stored give their memory back', async () => {
    const { db, records } = await stand(open);
    await db.schema.alterTable('owed_receipts').renameTo('owed_receipts_away').execute();
    for (let n = 0; n < 2; n++) {
      const calls = Array.from({ length: 200 }, () => records.begin(callOf('ada')));
      const stored = await Promise.allSettled(calls.map((call) => call.stored));
      assert.ok(stored.every(({ status }) => status === 'rejected'));
      for (const call of calls) call.end(DONE);
    }
    await db.schema.alterTable('owed_receipts_away').renameTo('owed_receipts').execute();
    await records.close();
  });
});
