import { bitWords, countBits, membersBetween, movedBits, setBit } from './bits.ts';
import { rankByRow, type Segment, SORTS, type Sort } from './segment.ts';

/** The rows that one condition of a query finds: a list where they are few, sets where they are many. */
export type Rows = Few | Many;

export interface Few {
  /** Ascending. */
  list: Int32Array;
  sets: null;
  /** Kept for it beside the segment's own. */
  bytes: number;
}

export interface Many {
  list: null;
  /** By sort order the set of their ranks, made when first asked for. Ranks by `downloads` are the rows themselves. */
  sets: { downloads: Int32Array } & { [S in Sort]?: Int32Array };
  count: number;
  /** The same, were it asked for in every order. */
  bytes: number;
}

export const NONE: Few = { list: new Int32Array(0), sets: null, bytes: 0 };

/** So long a list is no larger than a set, and sieved faster. */
export const mostFew = ({ count }: Segment): number => Math.max(16, count >>> 5);

/** A list of the segment's own, of any length. */
export function rowsOfList(segment: Segment, list: Int32Array): Rows {
  if (list.length <= mostFew(segment)) return { list, sets: null, bytes: 0 };
  const set = new Int32Array(bitWords(segment.count));
  for (let i = 0; i < list.length; i++) setBit(set, list[i] as number);
  return many(set, list.length);
}

/** Keeps the set where there are many. */
export function rowsOfSet(segment: Segment, set: Int32Array): Rows {
  const count = countBits(set);
  if (count > mostFew(segment)) return many(set, count);
  const list = membersBetween(set, 0, count, new Int32Array(count));
  return { list, sets: null, bytes: list.byteLength };
}

const many = (set: Int32Array, count: number): Many => ({
  list: null,
  sets: { downloads: set },
  count,
  bytes: set.byteLength * SORTS.length,
});

export function setInOrder(segment: Segment, { sets }: Many, sort: Sort): Int32Array {
  if (sort !== 'downloads') sets[sort] ??= movedBits(sets.downloads, rankByRow(segment, sort));
  return sets[sort] as Int32Array;
}
