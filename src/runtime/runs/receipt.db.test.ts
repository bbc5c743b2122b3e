import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { systemClock } from '#core/clock/clock.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import type { ReceiptRow } from '#core/db/schema-execution.ts';
import { newId } from '#core/ids.ts';
import { insertSpans, listSpans } from '#core/traces/spans.ts';
import { digestOfSpans } from '#core/traces/trace-answer.ts';
import { inSpan, startTracing } from '#core/traces/tracing.ts';
import { openReceiptKeys } from '#runtime/receipts/receipt-keys.ts';
import { newReceiptKey, openReceipts } from '#runtime/receipts/receipts.ts';
import { eachDatabase } from '#test/databases.ts';
import { signIntent, signReceipt } from './receipt.ts';
import { COMPLETED, emptyOutcome } from './result.ts';

const signedTrace = (receipt: ReceiptRow): { trace_id: string; digest: string } =>
  JSON.parse(Buffer.from(JSON.parse(receipt.envelope).payload, 'base64').toString()).predicate.trace;

eachDatabase('the receipt of a run', (open) => {
  test('the trace digest is unaffected by spans that end after signing or link to the trace', async () => {
    const { db } = await open();
    const clock = systemClock;
    const keys = keyProvider([createSecretKey(randomBytes(32).toString('hex'), 'hex')]);
    const receipt_keys = openReceiptKeys({ db, keys, clock });
    const receipts = openReceipts({ db, clock, keys, receipt_keys, origin: 'capstan.test/receipts' });
    const refused: number[] = [];
    const tracing = startTracing({
      save: async (spans) => void refused.push(await insertSpans(db, spans)),
      on_error: (error) => assert.fail(String(error)),
    });
    let lateEnd = (): void => {};
    const late = new Promise<void>((resolve) => {
      lateEnd = resolve;
    });
    let leftBehind: Promise<void> | undefined;
    const { traceId: trace_id, spanId: span_id } = await inSpan(tracing.tracer, null, 'run', {}, async (span) => {
      await inSpan(tracing.tracer, span, 'step', {}, async () => {});
      leftBehind = inSpan(tracing.tracer, span, 'late step', {}, () => late);
      return span.spanContext();
    });
    const begun = {
      run_id: newId(),
      attempt: 1,
      subject: { name: 'skill/x@1.0.0', digest: { sha256: 'ab'.repeat(32) } },
      execution_class: 'scripted' as const,
      input: null,
      input_files: new Map(),
      receipt_key: newReceiptKey(),
      user_id: null,
    };
    const deps = { db, clock, tracing, receipts: async () => receipts };
    const signed = await signIntent(deps, begun);
    const result = { ...emptyOutcome(COMPLETED), trace_id, span_id, duration_ms: 1 };
    const receipt = await signReceipt(deps, signed, result);
    lateEnd();
    await leftBehind;
    const outside = { traceId: trace_id, spanId: span_id, traceFlags: 1, isRemote: true };
    await inSpan(tracing.tracer, null, 'of another client', {}, async () => {}, { link: outside });
    await tracing.close();
    const spans = await listSpans(db, trace_id);
    assert.deepEqual(spans.map(({ name }) => name).sort(), ['run', 'step']);
    assert.deepEqual(signedTrace(receipt), { trace_id, digest: digestOfSpans(spans) });
    assert.equal(
      refused.reduce((sum, count) => sum + count, 0),
      1,
    );
  });
});
