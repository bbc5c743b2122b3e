import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { systemClock } from '#core/clock/clock.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Database } from '#core/db/open.ts';
import { newId } from '#core/ids.ts';
import { insertSpans } from '#core/traces/spans.ts';
import { startTracing } from '#core/traces/tracing.ts';
import { openReceiptKeys } from '#runtime/receipts/receipt-keys.ts';
import { newReceiptKey, openReceipts } from '#runtime/receipts/receipts.ts';

import { eachDatabase } from '#test/databases.ts';
import type { Attempt } from './attempt.ts';
import { OPERATOR } from './caller.ts';
import type { Capability, RunOrder } from './capability.ts';
import { openRuns } from './open-runs.ts';
import { COMPLETED, emptyOutcome, type Outcome } from './result.ts';

function stand({ db }: Database) {
  const clock = systemClock;
  const keys = keyProvider([createSecretKey(randomBytes(32))]);
  const receipt_keys = openReceiptKeys({ db, keys, clock });
  const receipts = openReceipts({ db, clock, keys, receipt_keys, origin: 'capstan.test/receipts' });
  const tracing = startTracing({ save: (spans) => insertSpans(db, spans), on_error: () => {} });
  let found = capability(async () => emptyOutcome(COMPLETED));
  const runs = openRuns({ db, clock, tracing, resolve: async () => found, receipts: async () => receipts });
  const receipt = { receipt_key: newReceiptKey(), user_id: null };
  const request = { input: null, caller: OPERATOR, record_content: false, receipt };
  const attempt = async (capability: Capability, more: Partial<Attempt> = {}) => {
    found = capability;
    return runs.attempt({
      run_id: newId(),
      attempt: 1,
      user_id: 'ada',
      target: capability,
      input: null,
      is_cancelled: false,
      stopping: new AbortController().signal,
      receiptKey: async () => receipt.receipt_key,
      caller: async () => OPERATOR,
      watch: () => ({ signal: new AbortController().signal, stop: async () => {} }),
      settle: async () => true,
      ...more,
    });
  };
  const counts = async () => {
    const [intents, signed] = [await db.selectFrom('run_intents').selectAll().execute(), await receiptsOf(db)];
    return [intents.length, signed.length];
  };
  return { runs, request, attempt, counts, [Symbol.asyncDispose]: () => tracing.close() };
}

const capability = (run: (order: RunOrder) => Promise<Outcome>, more: Partial<Capability> = {}): Capability => ({
  kind: 'skill',
  ref: 'x',
  name: 'x',
  version: '1.0.0',
  digest: `sha256:${'ab'.repeat(32)}`,
  execution_class: 'scripted',
  input_schema: null,
  repeatable: true,
  whyUnavailable: async () => null,
  span: { name: 'execute_tool x', attributes: {} },
  run,
  ...more,
});

async function receiptsOf(db: Database['db']) {
  const rows = await db.selectFrom('receipts').select('envelope').execute();
  return rows.map(({ envelope }) => JSON.parse(Buffer.from(JSON.parse(envelope).payload, 'base64').toString()));
}

eachDatabase('attempts at runs', (open) => {
  test('a run stores its intent before it starts and its receipt after it ends', async () => {
    const database = await open();
    await using fixture = stand(database);
    let atBegin: number[] = [];
    const seen = capability(async () => {
      atBegin = await fixture.counts();
      return emptyOutcome(COMPLETED);
    });
    const { receipt } = await fixture.runs.run(seen, fixture.request);
    assert.deepEqual(
      [atBegin, await fixture.counts()],
      [
        [1, 0],
        [1, 1],
      ],
    );
    assert.match(receipt?.envelope ?? '', /payload/);
  });

  test('an unsigned run stores no intent or receipt; a run that could not start has the receipt of a refusal', async () => {
    await using fixture = stand(await open());
    const fine = capability(async () => emptyOutcome(COMPLETED));
    const unsigned = await fixture.runs.run(fine, { ...fixture.request, receipt: undefined });
    assert.deepEqual([unsigned.result.status, unsigned.receipt, await fixture.counts()], ['completed', null, [0, 0]]);
    const whyUnavailable = async () => ({ reason: 'unsupported', detail: 'No.' }) as const;
    const refused = await fixture.runs.run({ ...fine, whyUnavailable }, fixture.request);
    assert.deepEqual([refused.result.status, await fixture.counts()], ['rejected', [1, 1]]);
    assert.match(
      Buffer.from(JSON.parse(refused.receipt?.envelope ?? '').payload, 'base64').toString(),
      /"status":"refused"/,
    );
  });

  test('the receipt includes the environment, model and server of the run', async () => {
    const { db, ...database } = await open();
    await using fixture = stand({ db, ...database });
    const server = { listing: 'glama/a', url: 'https://a.example/mcp' };
    const environment = { engine: 'mcp 2025-11-25', network: 'guarded', model: 'm/1' } as const;
    const ofServer = capability(async () => emptyOutcome(COMPLETED, environment), { server });
    const { result } = await fixture.runs.run(ofServer, fixture.request);
    const [statement] = await receiptsOf(db);
    const { predicate } = statement;
    assert.deepEqual(predicate.environment, { isolation: null, engine: 'mcp 2025-11-25', network: 'guarded' });
    assert.deepEqual([predicate.model, predicate.planner], ['m/1', null]);
    assert.deepEqual(predicate.listing, { name: 'glama/a', address_sha256: sha256(server.url) });
    assert.deepEqual(result.environment.server, server);
  });

  test('a run canceled by its owner gets a receipt; one interrupted by shutdown does not', async () => {
    await using fixture = stand(await open());
    const ended = AbortSignal.abort(new Error('the process ends'));
    const fine = capability(async () => emptyOutcome(COMPLETED));
    await assert.rejects(fixture.runs.run(fine, { ...fixture.request, stopping: ended }), /the process ends/);
    assert.deepEqual(await fixture.counts(), [1, 0]);
    await fixture.runs.run(fine, { ...fixture.request, signal: AbortSignal.abort() });
    assert.deepEqual(await fixture.counts(), [2, 1]);
  });

  test('stores the receipt together with the result, or not at all', async () => {
    await using fixture = stand(await open());
    const fine = capability(async () => emptyOutcome(COMPLETED));
    assert.equal(await fixture.attempt(fine, { settle: async () => false }), null, 'another attempt has taken over');
    const broken = async () => Promise.reject(new Error('no end was stored'));
    await assert.rejects(fixture.attempt(fine, { settle: broken }), /no end was stored/);
    assert.deepEqual(await fixture.counts(), [2, 0]);
    assert.equal((await fixture.attempt(fine))?.outcome.status, 'completed');
    assert.deepEqual(await fixture.counts(), [3, 1]);
  });

  test('a second attempt repeats a run without side effects, and records others as interrupted', async () => {
    const { db, ...database } = await open();
    await using fixture = stand({ db, ...database });
    let ran = 0;
    const act = async () => {
      ran++;
      return emptyOutcome(COMPLETED);
    };
    const dies = () => Promise.reject(new Error('the process died'));
    for (const repeatable of [true, false]) {
      const run_id = newId();
      await assert.rejects(fixture.attempt(capability(dies, { repeatable }), { run_id }), /died/);
      const end = await fixture.attempt(capability(act, { repeatable }), { run_id, attempt: 2 });
      assert.equal(end?.outcome.reason, repeatable ? null : 'interrupted');
    }
    assert.equal(ran, 1);
    const statuses = (await receiptsOf(db)).map(({ predicate }) => `${predicate.status} ${predicate.attempt}`);
    assert.deepEqual(statuses.sort(), ['completed 2', 'interrupted 1']);
  });

  test('refuses a capability that changed since it was pinned, and does not start a canceled run', async () => {
    await using fixture = stand(await open());
    const never = capability(() => assert.fail('it ran'));
    const target = { ...never, digest: `sha256:${'cd'.repeat(32)}` };
    assert.equal((await fixture.attempt(never, { target }))?.outcome.reason, 'capability_changed');
    assert.equal((await fixture.attempt(never, { is_cancelled: true }))?.outcome.status, 'cancelled');
    assert.deepEqual(await fixture.counts(), [0, 1], 'no intent, and the receipt of the refusal');
  });
});
