import { LRUCache } from 'lru-cache';
import { ATTR } from './conventions.ts';
import type { SpanValue, StoredSpan } from './span.ts';

/**
 * Limits what spans store: per span, per trace, and per account and hour. A span over a limit loses its long texts,
 * which are inputs and outputs, and is marked with `capstan.truncated`; its name, times and status stay. The digest in
 * a receipt covers what was stored, including the mark.
 */

/** Limit of a span's attributes and events as JSON, in UTF-8 bytes. */
const MOST_SPAN_BYTES = 24_576;
/** Limit of all spans of a trace that one process stores. */
const MOST_TRACE_BYTES = 1_048_576;
/**
 * Maximum text length in characters: in a span that is too large, and in one whose trace or account is over its limit.
 */
const LONG_TEXT = 2_048;
const SHORT_TEXT = 160;
const MOST_ITEMS = 8;
/** A trace is forgotten after this many others. */
const TRACES_KNOWN = 10_000;

export type Bound = 'span' | 'trace' | 'account';

export interface FitSpansOptions {
  /** Returns whether this account may store this many more bytes in this hour. */
  take(userId: string, bytes: number): Promise<boolean>;
  /** The same for truncated spans. */
  takeShort(userId: string, bytes: number): Promise<boolean>;
  /** Called for truncated spans, and for spans that were dropped because even the truncated form is too large. */
  onCut?(bound: Bound, spans: number): void;
  onDropped?(spans: number): void;
}

export function fitSpans(options: FitSpansOptions): (spans: readonly StoredSpan[]) => Promise<StoredSpan[]> {
  const { take, takeShort, onCut, onDropped } = options;
  const traces = new LRUCache<string, number>({ max: TRACES_KNOWN });

  const withinTrace = (span: StoredSpan): StoredSpan => {
    const own = withinSpan(span);
    if (own !== span) onCut?.('span', 1);
    const bytes = bytesOf(own);
    const before = traces.get(span.trace_id) ?? 0;
    if (before + bytes <= MOST_TRACE_BYTES) {
      traces.set(span.trace_id, before + bytes);
      return own;
    }
    const short = cut(own, SHORT_TEXT, 'trace');
    if (short !== own) onCut?.('trace', 1);
    return short;
  };

  const withinAccount = async (userId: string, spans: StoredSpan[]): Promise<StoredSpan[]> => {
    if (await take(userId, sumOf(spans))) return spans;
    const short = spans.map((span) => cut(span, SHORT_TEXT, 'account'));
    if (await takeShort(userId, sumOf(short))) {
      onCut?.('account', short.length);
      return short;
    }
    onDropped?.(short.length);
    return [];
  };

  return async (spans) => {
    const byOwner = Map.groupBy(spans.map(withinTrace), ({ user_id }) => user_id ?? null);
    const fitted = await Promise.all(
      [...byOwner].map(([userId, own]) => (userId === null ? own : withinAccount(userId, own))),
    );
    return fitted.flat();
  };
}

const withinSpan = (span: StoredSpan): StoredSpan =>
  bytesOf(span) <= MOST_SPAN_BYTES ? span : cut(cut(span, LONG_TEXT, 'span'), LONG_TEXT / 4, 'span');

/** Truncates texts to `most` characters and long lists. Unmarked if nothing had to be removed. */
function cut(span: StoredSpan, most: number, bound: Bound): StoredSpan {
  const short = shortened(span, most);
  if (bytesOf(short) === bytesOf(span)) return span;
  return { ...short, attributes: { ...short.attributes, [ATTR.truncated]: bound } };
}

function shortened(span: StoredSpan, most: number): StoredSpan {
  return {
    ...span,
    name: cutText(span.name, most),
    attributes: cutAll(span.attributes, most),
    events: span.events.slice(0, MOST_ITEMS).map((event) => ({
      name: cutText(event.name, most),
      at: event.at,
      attributes: cutAll(event.attributes, most),
    })),
  };
}

const cutAll = (attributes: Record<string, SpanValue>, most: number): Record<string, SpanValue> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, cutValue(value, most)]));

function cutValue(value: SpanValue, most: number): SpanValue {
  if (typeof value === 'string') return cutText(value, most);
  if (!Array.isArray(value)) return value;
  return value.slice(0, MOST_ITEMS).map((item) => (typeof item === 'string' ? cutText(item, most) : item));
}

const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (cut)`.toWellFormed();

const bytesOf = ({ name, attributes, events }: StoredSpan): number =>
  Buffer.byteLength(name) + Buffer.byteLength(JSON.stringify(attributes)) + Buffer.byteLength(JSON.stringify(events));

/** Including the size of a row besides its texts. */
const ROW_BYTES = 384;
const sumOf = (spans: readonly StoredSpan[]): number => spans.reduce((sum, span) => sum + ROW_BYTES + bytesOf(span), 0);
