import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Span, spanRows } from './span-rows.ts';

const span = (span_id: string, parent_span_id: string | null, atMs: number, duration_ms: number): Span => ({
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

test('places each span below its parent, even if it starts later than another branch', () => {
  const { rows, whole_ms } = spanRows([
    span('root', 'elsewhere', 0, 100),
    span('a', 'root', 10, 20),
    span('b', 'root', 20, 200),
    span('a1', 'a', 25, 1),
  ]);
  assert.deepEqual(
    rows.map(({ span: { span_id }, depth, starts_ms }) => [span_id, depth, starts_ms]),
    [
      ['root', 0, 0],
      ['a', 1, 10],
      ['a1', 2, 25],
      ['b', 1, 20],
    ],
  );
  assert.equal(whole_ms, 220);
});

test('of siblings that started in the same millisecond, the one that ended first is first', () => {
  const { rows } = spanRows([span('run', 'root', 5, 300), span('load', 'root', 5, 0.1), span('root', null, 5, 301)]);
  assert.deepEqual(
    rows.map(({ span: { span_id } }) => span_id),
    ['root', 'load', 'run'],
  );
});

test('no spans give no rows', () => {
  assert.deepEqual(spanRows([]), { rows: [], whole_ms: 0 });
});
