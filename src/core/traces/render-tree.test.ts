import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderTree } from './render-tree.ts';
import type { StoredSpan } from './span.ts';

const span = (
  span_id: string,
  parent_span_id: string | null,
  name: string,
  more: Partial<StoredSpan> = {},
): StoredSpan => ({
  trace_id: 't',
  span_id,
  parent_span_id,
  name,
  kind: 'internal',
  started_at: '2026-03-01T10:00:00.000Z',
  duration_ms: 1,
  status: 'unset',
  attributes: {},
  events: [],
  ...more,
});

test('spans are rendered as a tree with durations, statuses and isolation', () => {
  const spans = [
    span('c', 'a', 'run_script scripts/run.py', {
      duration_ms: 301.46,
      status: 'error',
      attributes: {
        'process.exit.code': 1,
        'error.type': 'failed',
        'capstan.sandbox.isolation': 'wasm+process',
        'capstan.sandbox.engine': 'just-bash 3.4.2',
      },
    }),
    span('b', 'a', 'load_skill x', { duration_ms: 0.21 }),
    span('d', 'b', 'read'),
    span('a', null, 'execute_tool x', { duration_ms: 318.2, status: 'error' }),
  ];
  assert.equal(
    renderTree(spans),
    [
      'execute_tool x                318.2 ms  error',
      '├─ load_skill x                 0.2 ms  ok',
      '│  └─ read                      1.0 ms  ok',
      '└─ run_script scripts/run.py  301.5 ms  error  failed · exit 1 · wasm+process · just-bash 3.4.2',
      '',
    ].join('\n'),
  );
});

test('a span with a remote parent is a root, control characters are replaced, and no spans give no text', () => {
  assert.equal(renderTree([span('a', 'far', 'x\u001b[31m\u202e')]), 'x\u{fffd}[31m\u{fffd}  1.0 ms  ok\n');
  assert.equal(renderTree([]), '');
});
