import { LRUCache } from 'lru-cache';
import { type Level, type Limit, windowEnd } from './rate-windows.ts';

/**
 * Counts several requests at once in the database and hands them out from memory, for high limits that every request
 * uses. The limit is never exceeded. What a process counted but did not hand out is lost at the end of the window.
 */

export type Take = (limit: Limit, bucket: string, nowMs: number, many: number) => Promise<Level>;

/** A limit is taken in this many parts, so a client costs at most 20 writes per window. */
const PARTS = 20;
const MAX_BUCKETS = 10_000;
const REFUSED_MS = 1_000;

interface Ahead {
  left: number;
  ends_ms: number;
  level: Level;
}

/** `most`: requests per write, for limits of a long window, where a loss matters. */
export function takeAhead(
  take: Take,
  most = Number.POSITIVE_INFINITY,
): (limit: Limit, bucket: string, now_ms: number) => Promise<Level> {
  const held = new LRUCache<string, Ahead>({ max: MAX_BUCKETS });
  const asking = new Map<string, Promise<Level>>();
  const ask = async (limit: Limit, bucket: string, nowMs: number): Promise<Level> => {
    const many = Math.max(1, Math.min(most, Math.floor(limit.count / PARTS)));
    const level = await take(limit, bucket, nowMs, many);
    if (level.is_free) {
      held.set(keyOf(limit, bucket), { left: many - 1, ends_ms: windowEnd(limit, nowMs), level });
      return { ...level, used: level.used - many + 1 };
    }
    const last = many === 1 ? level : await take(limit, bucket, nowMs, 1);
    // A client over its limit costs the database one query per second.
    if (!last.is_free) held.set(keyOf(limit, bucket), { left: 0, ends_ms: nowMs + REFUSED_MS, level: last });
    return last;
  };
  return async (limit, bucket, nowMs) => {
    const key = keyOf(limit, bucket);
    for (;;) {
      const ahead = held.get(key);
      if (ahead !== undefined && ahead.ends_ms > nowMs) {
        if (!ahead.level.is_free) return ahead.level;
        if (ahead.left > 0) return { ...ahead.level, used: ahead.level.used - --ahead.left };
      }
      const other = asking.get(key);
      if (other === undefined) break;
      // The first caller also counts for concurrent ones. If nothing was left for this caller, it tries itself.
      const { is_free } = await other;
      if (!is_free) return other;
    }
    const asked = ask(limit, bucket, nowMs).finally(() => asking.delete(key));
    asking.set(key, asked);
    return asked;
  };
}

const keyOf = ({ name }: Limit, bucket: string): string => `${name}|${bucket}`;
