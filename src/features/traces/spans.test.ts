import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpanStatusCode } from '@opentelemetry/api';
import { eachDatabase } from '../../../test/databases.ts';
import { ATTR } from './conventions.ts';
import type { StoredSpan } from './span.ts';
import { insertSpans, listSpans } from './spans.ts';
import { traceAnswer } from './trace-answer.ts';
import { inSpan, startTracing } from './tracing.ts';

eachDatabase('spans', (open) => {
  test('what was traced is listed by its trace, redacted, in order; a repeated export changes nothing', async () => {
    const { db } = await open();
    const errors: unknown[] = [];
    const tracing = startTracing({
      save: async (spans) => {
        await insertSpans(db, spans);
        await insertSpans(db, spans);
      },
      on_error: (error) => errors.push(error),
    });
    const trace_id = await inSpan(tracing.tracer, null, 'outer', { a: 1, password: 'x' }, async (outer) => {
      await inSpan(tracing.tracer, outer, 'inner', {}, async (inner) => {
        inner.addEvent('seen', { note: 'password=hunter2secret' });
        inner.setStatus({ code: SpanStatusCode.ERROR, message: 'because' });
      });
      return outer.spanContext().traceId;
    });
    await inSpan(tracing.tracer, null, 'another trace', {}, async () => {});
    await tracing.flush();
    const spans = await listSpans(db, trace_id);
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
});

test('a span below another is of the same owner, who is told to nobody', async () => {
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

test('a throw ends its span as an error and goes on; spans that cannot be saved are told and lost', async () => {
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
