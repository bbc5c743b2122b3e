import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpanStatusCode } from '@opentelemetry/api';
import { eachDatabase } from '#test/databases.ts';
import { ATTR } from './conventions.ts';
import { sealTrace } from './sealed-traces.ts';
import type { StoredSpan } from './span.ts';
import { insertSpans, listRunSpans, listSpans } from './spans.ts';
import { traceAnswer } from './trace-answer.ts';
import { inSpan, startTracing } from './tracing.ts';

const spanNamed = (name: string, more: Partial<StoredSpan> = {}): StoredSpan => ({
  trace_id: 'a'.repeat(32),
  span_id: Buffer.from(name.padEnd(8).slice(0, 8)).toString('hex'),
  parent_span_id: null,
  name,
  kind: 'internal',
  started_at: '2026-03-01T10:00:00.000Z',
  duration_ms: 1,
  status: 'ok',
  attributes: {},
  events: [],
  ...more,
});

eachDatabase('spans', (open) => {
  test('spans are listed by trace, redacted, and a repeated export changes nothing', async () => {
    const { db } = await open();
    const errors: unknown[] = [];
    const tracing = startTracing({
      save: async (spans) => {
        await insertSpans(db, spans);
        await insertSpans(db, spans);
      },
      on_error: (error) => errors.push(error),
    });
    const ofTrace = await inSpan(tracing.tracer, null, 'outer', { a: 1, password: 'x' }, async (outer) => {
      await inSpan(tracing.tracer, outer, 'inner', {}, async (inner) => {
        inner.addEvent('seen', { note: 'password=hunter2secret' });
        inner.setStatus({ code: SpanStatusCode.ERROR, message: 'because' });
      });
      return outer.spanContext().traceId;
    });
    await inSpan(tracing.tracer, null, 'another trace', {}, async () => {});
    await tracing.flush();
    const spans = await listSpans(db, ofTrace);
    const [outer, inner] = ['outer', 'inner'].map((name) => spans.find((span) => span.name === name));
    assert.equal(spans.length, 2);
    assert.deepEqual([outer?.parent_span_id, inner?.parent_span_id], [null, outer?.span_id]);
    assert.deepEqual(outer?.attributes, { a: 1, password: '[redacted]' });
    assert.deepEqual([inner?.status, inner?.attributes], ['error', { 'otel.status_description': 'because' }]);
    assert.deepEqual(inner?.events[0]?.attributes, { note: 'password=[redacted]' });
    assert.match(outer?.started_at ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.ok((outer?.duration_ms ?? -1) >= (inner?.duration_ms ?? 0));
    assert.deepEqual(await listSpans(db, 'unknown'), []);
    assert.deepEqual(errors, []);
    await tracing.close();
  });

  test('only the owner can read the spans of a run, even if others share its trace', async () => {
    const { db } = await open();
    const root = spanNamed('root', { user_id: 'ann' });
    const child = spanNamed('child', { user_id: 'ann', parent_span_id: root.span_id });
    const foreign = spanNamed('foreign', { user_id: 'bob', parent_span_id: root.span_id });
    const elsewhere = spanNamed('elsewhere', { user_id: 'ann' });
    assert.equal(await insertSpans(db, [root, child, foreign, elsewhere]), 0);
    const { trace_id, span_id } = root;
    const names = async (user_id: string) =>
      (await listRunSpans(db, { user_id, trace_id, span_id })).map(({ name }) => name).sort();
    assert.deepEqual([await names('ann'), await names('bob')], [['child', 'root'], ['foreign']]);
  });

  test('a run recorded without span owners has its own spans, and none that other users started below it', async () => {
    const { db } = await open();
    const root = spanNamed('execute_tool words');
    const below = (name: string, more: Partial<StoredSpan> = {}): StoredSpan => ({
      ...spanNamed(name, more),
      span_id: Buffer.from(name.slice(-8).padStart(8)).toString('hex'),
      parent_span_id: root.span_id,
    });
    const script = below('run_script scripts/run.mjs');
    const called = below('execute_tool read_it', { attributes: { [ATTR.tool_call_id]: 'call_1' } });
    const run = below('execute_tool private', { attributes: { [ATTR.run_status]: 'completed' } });
    const inRun = { ...below('run_script private.mjs'), parent_span_id: run.span_id };
    const call = below('tools/call secret');
    const newer = below('run_script of-bob.mjs', { user_id: 'bob' });
    await insertSpans(db, [root, script, called, run, inRun, call, newer]);
    const names = async ({ span_id }: StoredSpan) =>
      (await listRunSpans(db, { user_id: 'ann', trace_id: root.trace_id, span_id })).map(({ name }) => name).sort();
    assert.deepEqual(await names(root), [called.name, root.name, script.name]);
    assert.deepEqual(await names(run), [run.name, inRun.name]);
    assert.deepEqual(await names(newer), [], 'it has an owner, who is somebody else');
  });

  test('a sealed trace accepts no more spans and reports how many it refused', async () => {
    const { db } = await open();
    const [early, late] = [spanNamed('early'), spanNamed('late')];
    const other = { ...spanNamed('other'), trace_id: 'b'.repeat(32) };
    await insertSpans(db, [early]);
    await sealTrace(db, { trace_id: early.trace_id, user_id: null, now_ms: 0 });
    await sealTrace(db, { trace_id: early.trace_id, user_id: null, now_ms: 1 });
    assert.equal(await insertSpans(db, [late, other]), 1);
    const names = async (ofTrace: string) => (await listSpans(db, ofTrace)).map(({ name }) => name);
    assert.deepEqual([await names(early.trace_id), await names(other.trace_id)], [['early'], ['other']]);
  });
});

test('a child span inherits the owner of its parent, who is never shown', async () => {
  const saved: StoredSpan[] = [];
  const tracing = startTracing({ save: async (spans) => void saved.push(...spans), on_error: () => {} });
  await inSpan(tracing.tracer, null, 'outer', { [ATTR.owner]: 'ann' }, (outer) =>
    inSpan(tracing.tracer, outer, 'inner', {}, (inner) =>
      inSpan(tracing.tracer, inner, 'innermost', {}, async () => {}),
    ),
  );
  await inSpan(tracing.tracer, null, 'of nobody', {}, async () => {});
  await tracing.close();
  const owners = Object.fromEntries(saved.map(({ name, user_id }) => [name, user_id]));
  assert.deepEqual(owners, { outer: 'ann', inner: 'ann', innermost: 'ann', 'of nobody': undefined });
  assert.doesNotMatch(JSON.stringify(traceAnswer('x', saved)), /ann/);
});

test('an exception marks its span as an error and propagates, and a failed export is reported', async () => {
  const errors: unknown[] = [];
  const seen: string[] = [];
  const tracing = startTracing({
    save: async (spans) => {
      seen.push(...spans.map((span) => `${span.name} ${span.status}`));
      throw new Error('database gone');
    },
    on_error: (error) => errors.push(error),
  });
  const failing = inSpan(tracing.tracer, null, 'fails', {}, async () => {
    throw new RangeError('no');
  });
  await assert.rejects(failing, RangeError);
  await tracing.flush();
  assert.deepEqual(seen, ['fails error']);
  assert.equal((errors[0] as Error).message, 'database gone');
  await tracing.close();
});
