/** A finished span as it is stored and shown. */
export interface StoredSpan {
  /** 32 hex digits. */
  trace_id: string;
  /** 16 hex digits. */
  span_id: string;
  parent_span_id: string | null;
  name: string;
  kind: SpanKindName;
  started_at: string;
  duration_ms: number;
  status: SpanStatusName;
  attributes: Record<string, SpanValue>;
  events: { name: string; at: string; attributes: Record<string, SpanValue> }[];
  /** Whose run it is part of; never on the wire, and left out of what is read. */
  user_id?: string;
}

export type SpanValue = string | number | boolean | (string | number | boolean | null)[];

export const SPAN_KINDS = ['internal', 'server', 'client', 'producer', 'consumer'] as const;
export type SpanKindName = (typeof SPAN_KINDS)[number];

export const SPAN_STATUSES = ['unset', 'ok', 'error'] as const;
export type SpanStatusName = (typeof SPAN_STATUSES)[number];

/** The span of this id and all that descend from it, in the order given. Pure. */
export function spansBelow(spans: readonly StoredSpan[], root: string): StoredSpan[] {
  const children = Map.groupBy(spans, ({ parent_span_id }) => parent_span_id);
  const wanted = new Set([root]);
  for (const id of wanted) for (const { span_id } of children.get(id) ?? []) wanted.add(span_id);
  return spans.filter(({ span_id }) => wanted.has(span_id));
}
