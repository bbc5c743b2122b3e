import { ATTR, chat, loadSkill, runScript } from './conventions.ts';

/** A finished span as stored and returned. */
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
  /** The span of another trace that led to this one, such as the caller's: at most one. Absent if there is none. */
  links?: [SpanLink];
  /** The owner of its run. Never part of a response, and absent in spans that are read. */
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
type SpanKindName = (typeof SPAN_KINDS)[number];

export const SPAN_STATUSES = ['unset', 'ok', 'error'] as const;
type SpanStatusName = (typeof SPAN_STATUSES)[number];

/** The span with this id and its descendants, in the given order. Pure. */
export function spansBelow(spans: readonly StoredSpan[], root: string): StoredSpan[] {
  const children = Map.groupBy(spans, ({ parent_span_id }) => parent_span_id);
  const wanted = new Set([root]);
  for (const id of wanted) for (const { span_id } of children.get(id) ?? []) wanted.add(span_id);
  return spans.filter(({ span_id }) => wanted.has(span_id));
}

/**
 * In order of time, each after its parent. Starts are in milliseconds: of two siblings that started in the same one, the
 * one that ended first is first. Pure.
 */
export function inOrder(spans: readonly StoredSpan[]): StoredSpan[] {
  const known = new Set(spans.map(({ span_id }) => span_id));
  const children = Map.groupBy(spans, ({ parent_span_id }) =>
    known.has(parent_span_id ?? '') ? parent_span_id : null,
  );
  const latestFirst = (parent: string | null) => (children.get(parent) ?? []).toSorted((a, b) => byTime(b, a));
  const ordered: StoredSpan[] = [];
  const waiting = latestFirst(null);
  for (let span = waiting.pop(); span !== undefined; span = waiting.pop()) {
    ordered.push(span);
    waiting.push(...latestFirst(span.span_id));
  }
  return ordered;
}

const byTime = (a: StoredSpan, b: StoredSpan): number =>
  Date.parse(a.started_at) - Date.parse(b.started_at) || a.duration_ms - b.duration_ms;

/**
 * The run with this id in a trace whose spans have no owner: only the run's own steps, not what another run or call
 * started below them. Such traces are older than owners, and callers could then continue any trace they named. Pure.
 */
export function stepsBelow(spans: readonly StoredSpan[], root: string): StoredSpan[] {
  return spansBelow(
    spans.filter((span) => span.span_id === root || isStep(span)),
    root,
  );
}

/** True for steps of a run. A run, or an MCP tool call, could have a foreign parent; a step never could. */
const isStep = ({ name, attributes }: StoredSpan): boolean =>
  STEP_NAMES.some((step) => name.startsWith(step)) || Object.hasOwn(attributes, ATTR.tool_call_id);

const STEP_NAMES = [chat(''), loadSkill(''), runScript('')];
