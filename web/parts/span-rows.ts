import type { Operations } from '../../sdk/src/index.ts';

/** The spans of a trace in display order: each span below its parent. */

export type Span = Operations['tasks']['getTrace']['answer']['spans'][number];

export interface SpanRow {
  span: Span;
  /** 0 for root spans. */
  depth: number;
  /** Relative to the start of the first span. */
  starts_ms: number;
}

interface SpanRows {
  rows: SpanRow[];
  /** From the first start to the last end. */
  whole_ms: number;
}

/** By start; of two that started within the same millisecond, the one that ended first. */
const byTime = (a: Span, b: Span): number =>
  Date.parse(a.started_at) - Date.parse(b.started_at) || a.duration_ms - b.duration_ms;

export function spanRows(spans: readonly Span[]): SpanRows {
  const began = Math.min(...spans.map(({ started_at }) => Date.parse(started_at)));
  const startOf = ({ started_at }: Span): number => Date.parse(started_at) - began;
  const known = new Set(spans.map(({ span_id }) => span_id));
  const below = Map.groupBy(spans, (span) => (known.has(span.parent_span_id ?? '') ? span.parent_span_id : null));
  const rows: SpanRow[] = [];
  const walk = (parent: string | null, depth: number): void => {
    for (const span of (below.get(parent) ?? []).toSorted(byTime)) {
      rows.push({ span, depth, starts_ms: startOf(span) });
      walk(span.span_id, depth + 1);
    }
  };
  walk(null, 0);
  const whole_ms = Math.max(0, ...rows.map(({ span, starts_ms }) => starts_ms + span.duration_ms));
  return { rows, whole_ms };
}
