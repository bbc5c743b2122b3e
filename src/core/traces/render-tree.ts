import { ATTR } from './conventions.ts';
import type { StoredSpan } from './span.ts';

/**
 * A trace as text, one span per line: name, duration, status and isolation.
 *
 *     execute_tool json-diff 318.2 ms ok
 *     ├─ load_skill json-diff 0.2 ms ok
 *     └─ run_script scripts/run.mjs 301.5 ms ok exit 0 · wasm+process · just-bash 3.4.2
 */
export function renderTree(spans: readonly StoredSpan[]): string {
  const rows = roots(spans).flatMap((root) => rowsOf(root, spans, '', ''));
  const widest = (cell: 'label' | 'duration' | 'status') => Math.max(0, ...rows.map((row) => row[cell].length));
  const [label, duration, status] = [widest('label'), widest('duration'), widest('status')];
  const line = (row: Row) =>
    `${row.label.padEnd(label)}  ${row.duration.padStart(duration)}  ${row.status.padEnd(status)}  ${row.details}`;
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}

interface Row {
  label: string;
  duration: string;
  status: string;
  details: string;
}

/** Spans without a parent in the trace: root spans, or those whose parent belongs to another service. */
function roots(spans: readonly StoredSpan[]): StoredSpan[] {
  const known = new Set(spans.map((span) => span.span_id));
  return spans.filter(({ parent_span_id }) => parent_span_id === null || !known.has(parent_span_id)).sort(byStart);
}

function rowsOf(span: StoredSpan, spans: readonly StoredSpan[], branch: string, indent: string): Row[] {
  const below = spans.filter(({ parent_span_id }) => parent_span_id === span.span_id).sort(byStart);
  const row = {
    label: `${branch}${plain(span.name)}`,
    duration: `${span.duration_ms.toFixed(1)} ms`,
    status: span.status === 'unset' ? 'ok' : span.status,
    details: detailsOf(span),
  };
  const children = below.flatMap((child, index) => {
    const last = index === below.length - 1;
    return rowsOf(child, spans, `${indent}${last ? '└─ ' : '├─ '}`, `${indent}${last ? '   ' : '│  '}`);
  });
  return [row, ...children];
}

function detailsOf({ attributes }: StoredSpan): string {
  const exitCode = attributes[ATTR.exit_code];
  const parts = [
    attributes[ATTR.error_type],
    exitCode === undefined ? undefined : `exit ${exitCode}`,
    attributes[ATTR.isolation],
    attributes[ATTR.engine],
  ];
  return parts
    .filter((part) => part !== undefined)
    .map((part) => plain(String(part)))
    .join(' · ');
}

/** Of two spans that began in the same millisecond, the shorter one came first: the other began when it was over. */
const byStart = (a: StoredSpan, b: StoredSpan): number =>
  a.started_at === b.started_at ? a.duration_ms - b.duration_ms : a.started_at < b.started_at ? -1 : 1;

/** Names may be untrusted: removes terminal control characters. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}').slice(0, 120);
