import { bitWords, countBits, membersBetween, setBit } from '../index/bitset.ts';
import type { OtherSort, Segment } from '../index/segment.ts';
import { mostStopBytes, noStops, type Stops } from './rank-walk.ts';

/** The rows that one condition of a query finds: a list where they are few, a set where they are many. */
export type Rows = Few | Many;

export interface Few {
  /** Ascending. */
  list: Int32Array;
  set: null;
  /** Kept for it beside the segment's own. */
  bytes: number;
}

export interface Many {
  list: null;
  set: Int32Array;
  count: number;
  stops: Record<OtherSort, Stops>;
  /** With all stops that there can be. */
  bytes: number;
}

export const NONE: Few = { list: new Int32Array(0), set: null, bytes: 0 };

/** So long a list is no larger than a set, and sieved faster. */
export const mostFew = ({ count }: Segment): number => Math.max(16, count >>> 5);

/** A list of the segment's own, of any length. */
export function rowsOfList(segment: Segment, list: Int32Array): Rows {
  if (list.length <= mostFew(segment)) return { list, set: null, bytes: 0 };
  const set = new Int32Array(bitWords(segment.count));
  for (let i = 0; i < list.length; i++) setBit(set, list[i] as number);
  return many(set, list.length, set.byteLength);
}

/** Keeps the set where there are many; `bytes` are 0 for one of the segment's own. */
export function rowsOfSet(segment: Segment, set: Int32Array, bytes = set.byteLength): Rows {
  const count = countBits(set);
  if (count > mostFew(segment)) return many(set, count, bytes);
  const list = membersBetween(set, 0, count, new Int32Array(count));
  return { list, set: null, bytes: list.byteLength };
}

const many = (set: Int32Array, count: number, bytes: number): Many => ({
  list: null,
  set,
  count,
  stops: { stars: noStops(), updated: noStops(), name: noStops() },
  bytes: bytes + mostStopBytes(count),
});
