import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { type StoredSpan, spansBelow } from './span.ts';
import { digestOfSpans, TraceAnswer, traceAnswer } from './trace-answer.ts';

const span = (span_id: string, parent_span_id: string | null, started_at: string): StoredSpan => ({
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  span_id,
  parent_span_id,
  name: `span ${span_id}`,
  started_at,
  kind: 'internal',
  duration_ms: 1.25,
  status: 'ok',
  attributes: { b: 1, a: ['x', null, true], c: 'text' },
  events: [{ name: 'e', at: '2026-03-01T10:00:00.000Z', attributes: {} }],
});

const SPANS = [
  span('a1', null, '2026-03-01T10:00:00.000Z'),
  span('c3', 'a1', '2026-03-01T10:00:00.001Z'),
  span('d4', 'c3', '2026-03-01T10:00:00.001Z'),
  span('b2', 'a1', '2026-03-01T10:00:00.002Z'),
];

test('the trace response matches the contract, with spans in order of start', () => {
  const answer = traceAnswer(SPANS[0]?.trace_id as string, SPANS.toReversed());
  assert.deepEqual([...Compile(TraceAnswer).Errors(answer)], []);
  assert.deepEqual(
    answer.spans.map((span) => span.span_id),
    ['a1', 'c3', 'd4', 'b2'],
  );
  assert.deepEqual(Object.keys(answer.spans[0] ?? {}).sort(), [
    'attributes',
    'duration_ms',
    'events',
    'kind',
    'name',
    'parent_span_id',
    'span_id',
    'started_at',
    'status',
  ]);
});

test('the trace digest is the SHA-256 of the spans as canonical JSON', () => {
  const { spans } = traceAnswer('t', SPANS.slice(0, 1));
  assert.equal(
    JSON.stringify(spans),
    '[{"span_id":"a1","parent_span_id":null,"name":"span a1","started_at":"2026-03-01T10:00:00.000Z","kind":"internal","duration_ms":1.25,"status":"ok","attributes":{"b":1,"a":["x",null,true],"c":"text"},"events":[{"name":"e","at":"2026-03-01T10:00:00.000Z","attributes":{}}]}]',
  );
  const canonical =
    '[{"attributes":{"a":["x",null,true],"b":1,"c":"text"},"duration_ms":1.25,"events":[{"at":"2026-03-01T10:00:00.000Z","attributes":{},"name":"e"}],"kind":"internal","name":"span a1","parent_span_id":null,"span_id":"a1","started_at":"2026-03-01T10:00:00.000Z","status":"ok"}]';
  assert.equal(digestOfSpans(SPANS.slice(0, 1)), createHash('sha256').update(canonical).digest('hex'));
  assert.equal(digestOfSpans([]), createHash('sha256').update('[]').digest('hex'));
});

test('the order of spans does not change the trace digest, and any change of a span does', () => {
  const digest = digestOfSpans(SPANS);
  fc.assert(
    fc.property(fc.shuffledSubarray(SPANS, { minLength: SPANS.length }), (spans) =>
      assert.equal(digestOfSpans(spans), digest),
    ),
  );
  const changes: Partial<StoredSpan>[] = [
    { name: 'x' },
    { status: 'error' as const },
    { duration_ms: 1 },
    { attributes: {} },
    { events: [] },
    { parent_span_id: 'b2' },
    { span_id: 'e5' },
    { kind: 'client' as const },
    { started_at: '2026-03-01T10:00:00.003Z' },
  ];
  for (const change of changes)
    assert.notEqual(digestOfSpans(SPANS.with(2, { ...(SPANS[2] as StoredSpan), ...change })), digest);
});

test('spansBelow() returns a span and its descendants, and terminates on cycles', () => {
  const ids = (root: string, spans = SPANS) => spansBelow(spans, root).map((storedSpan) => storedSpan.span_id);
  assert.deepEqual([ids('a1'), ids('c3'), ids('b2'), ids('zz')], [['a1', 'c3', 'd4', 'b2'], ['c3', 'd4'], ['b2'], []]);
  const loop = [span('x', 'y', '2026-03-01T10:00:00.000Z'), span('y', 'x', '2026-03-01T10:00:00.000Z')];
  assert.deepEqual(ids('x', loop), ['x', 'y']);
});
