import { ATTR, chat, loadSkill, runScript } from './conventions.ts';

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
  /** The span of another trace that led to this one, such as the caller's own: one at most. Left out where there is none. */
  links?: [SpanLink];
  /** Whose run it is part of; never on the wire, and left out of what is read. */
  user_id?: string;
}

export interface SpanLink {
  /** 32 hex digits. */
  trace_id: string;
  /** 16 hex digits. */
  span_id: string;
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

/**
 * The run of this id in a trace whose spans have no owner: the run's own steps, and nothing below them that some other run or
 * call began. Such a trace is older than owners, and callers of that time could continue any trace that they named. Pure.
 */
export function stepsBelow(spans: readonly StoredSpan[], root: string): StoredSpan[] {
  return spansBelow(
    spans.filter((span) => span.span_id === root || isStep(span)),
    root,
  );
}

/** What a run did itself. A run, and a call of a tool over MCP, could name a parent from outside; a step never could. */
const isStep = ({ name, attributes }: StoredSpan): boolean =>
  STEP_NAMES.some((step) => name.startsWith(step)) || Object.hasOwn(attributes, ATTR.tool_call_id);

const STEP_NAMES = [chat(''), loadSkill(''), runScript('')];
