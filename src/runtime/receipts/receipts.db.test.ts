import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { systemClock } from '#core/clock/clock.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import { newId } from '#core/ids.ts';
import { eachDatabase, type OpenTestDatabase } from '#test/databases.ts';
import { verifyBundle } from './bundle.ts';
import { openReceiptKeys } from './receipt-keys.ts';
import { macOf, newReceiptKey, openReceipts, type Receipts, type RunEnded, saveReceipt } from './receipts.ts';

const subject = { name: 'skill/json-diff@1.0.0', digest: { sha256: 'ab'.repeat(32) } };

function ended(over: Partial<RunEnded> = {}): RunEnded {
  return {
    run_id: newId(),
    attempt: 1,
    subject,
    execution_class: 'scripted',
    input: { a: 1 },
    user_id: 'somebody',
    input_files: new Map(),
    receipt_key: newReceiptKey(),
    intent_sha256: 'cd'.repeat(32),
    output: { b: [1, 2] },
    output_files: new Map(),
    facts: {
      started_at: '2026-11-20T12:00:00.000Z',
      finished_at: '2026-11-20T12:00:01.000Z',
      status: 'completed',
      exit_code: 0,
      model: null,
      planner: null,
      environment: { isolation: 'wasm+process', engine: 'just-bash', network: 'none' },
      trace: { trace_id: 'ef'.repeat(16), digest: '01'.repeat(32) },
    },
    ...over,
  };
}

async function issue(db: Kysely<Schema>, receipts: Receipts, run: RunEnded): Promise<string> {
  const receipt = await receipts.sign(run);
  await db.transaction().execute((trx) => saveReceipt(trx, receipt));
  return receipt.id;
}

const secret = keyProvider([createSecretKey(randomBytes(32))]);

async function stand(open: OpenTestDatabase) {
  const { db } = await open();
  const again = () => {
    const receipt_keys = openReceiptKeys({ db, keys: secret, clock: systemClock });
    return {
      receipt_keys,
      receipts: openReceipts({ db, clock: systemClock, keys: secret, receipt_keys, origin: 'capstan.test/receipts' }),
    };
  };
  return { db, again, ...again() };
}

eachDatabase('receipts', (open) => {
  test('a finished run gets a bundle that verifies, names its intent, and hides input, output and user', async () => {
    const { db, receipts } = await stand(open);
    const run = ended();
    const intent_sha256 = await receipts.intend(run);
    const id = await issue(db, receipts, { ...run, intent_sha256 });
    const bundle = await receipts.bundle(id);
    const verdict = verifyBundle(bundle);
    assert.ok(verdict.consistent, JSON.stringify(verdict));
    const { predicate } = verdict.statement;
    assert.equal(predicate.run_id, run.run_id);
    assert.ok('intent' in predicate);
    assert.equal(predicate.intent.digest.sha256, intent_sha256);
    assert.equal(predicate.input.hmac_sha256, macOf(run.receipt_key, { a: 1 }));
    assert.notEqual(predicate.input.hmac_sha256, macOf(newReceiptKey(), { a: 1 }));
    assert.doesNotMatch(JSON.stringify(bundle), /somebody/);
    assert.equal(await receipts.bundle(newId()), undefined);
  });

  test('the caller’s commitment differs per user and capability, and contains no user id', async () => {
    const { db, receipts } = await stand(open);
    const of = async (over: Partial<RunEnded>) => {
      const id = await issue(db, receipts, ended(over));
      const verdict = verifyBundle(await receipts.bundle(id));
      assert.ok(verdict.consistent);
      return verdict.statement.predicate.caller.commitment;
    };
    const first = await of({});
    assert.equal(await of({}), first);
    assert.notEqual(await of({ user_id: 'other' }), first);
    assert.notEqual(await of({ subject: { ...subject, name: 'skill/other@1.0.0' } }), first);
  });

  test('refuses a second receipt for the same run', async () => {
    const { db, receipts } = await stand(open);
    const run = ended();
    await issue(db, receipts, run);
    await assert.rejects(issue(db, receipts, run));
  });

  test('processes that log at the same time give each receipt its own index, and each bundle verifies', async () => {
    const { db, again } = await stand(open);
    const processes = [again(), again(), again()].map((entry) => entry.receipts);
    const ids = await Promise.all(
      Array.from({ length: 24 }, (_, at) => issue(db, processes[at % 3] as Receipts, ended())),
    );
    const counts = await Promise.all(processes.map((child) => child.log()));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      24,
    );
    const places = await Promise.all(
      ids.map(async (id) => {
        const verdict = verifyBundle(await processes[0]?.bundle(id));
        assert.ok(verdict.consistent, JSON.stringify(verdict));
        const row = await db.selectFrom('receipts').select('leaf_index').where('id', '=', id).executeTakeFirstOrThrow();
        return row.leaf_index;
      }),
    );
    assert.deepEqual(
      places.toSorted((a, b) => Number(a) - Number(b)),
      Array.from({ length: 24 }, (_, at) => at),
    );
    const keys = await db.selectFrom('signing_keys').select('id').where('purpose', '=', 'receipt').execute();
    assert.equal(keys.length, 1, 'processes that start together end with one key');
  });

  test('publishes a key at once that another process has just rotated to', async () => {
    const { receipt_keys, again } = await stand(open);
    assert.equal((await receipt_keys.published()).length, 1);
    const kid = await again().receipt_keys.rotate();
    assert.equal((await receipt_keys.published()).at(-1)?.kid, kid);
  });

  test('receipts signed before a key rotation verify after it', async () => {
    const { db, receipts, receipt_keys, again } = await stand(open);
    const before = await issue(db, receipts, ended());
    const waiting = await issue(db, receipts, ended());
    assert.ok((await receipts.bundle(before)) !== undefined);
    const first = (await receipt_keys.signing()).id;
    const second = await receipt_keys.rotate();
    assert.notEqual(first, second);
    const after = await issue(db, receipts, ended());
    for (const [id, key] of [
      [before, first],
      [waiting, first],
      [after, second],
    ] as const) {
      const verdict = verifyBundle(await again().receipts.bundle(id));
      assert.ok(verdict.consistent && verdict.key_id === key);
    }
    assert.deepEqual(
      (await again().receipt_keys.published()).map((publishedKey) => publishedKey.kid),
      [first, second],
    );
  });
});
