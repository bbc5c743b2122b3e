import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOrder, type StoredSpan } from './span.ts';

const span = (span_id: string, parent_span_id: string | null, atMs: number, duration_ms: number): StoredSpan => ({
  trace_id: 'a'.repeat(32),
  span_id,
  parent_span_id,
  duration_ms,
  name: span_id,
  kind: 'internal',
  status: 'unset',
  started_at: new Date(1_760_000_000_000 + atMs).toISOString(),
  attributes: {},
  events: [],
});

test('parents are before their parts, and of parts that start together the shorter one is first', () => {
  const spans = [
    span('run', 'call', 5, 300),
    span('load', 'call', 5, 0.1),
    span('call', 'elsewhere', 5, 301),
    span('later', null, 400, 1),
    span('inside', 'run', 6, 2),
  ];
  assert.deepEqual(
    inOrder(spans).map(({ span_id }) => span_id),
    ['call', 'load', 'run', 'inside', 'later'],
  );
});

test('many spans, in a row or in a chain, are ordered without being lost', () => {
  const row = Array.from({ length: 20_000 }, (_, at) => span(`s${at}`, null, at, 1));
  const chain = Array.from({ length: 20_000 }, (_, at) => span(`s${at}`, `s${at - 1}`, at, 1));
  for (const spans of [row, chain]) assert.equal(inOrder(spans).at(-1)?.span_id, 's19999');
});
