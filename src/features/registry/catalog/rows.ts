import { bitWords, countBits, membersBetween, movedBits, setBit } from './bits.ts';
import { rankByRow, type Segment, type Sort } from './segment.ts';

/** The rows that one condition of a query finds: a list where they are few, sets where they are many. */
export type Rows = Few | Many;

export interface Few {
  /** Ascending. */
  list: Int32Array;
  sets: null;
}

export interface Many {
  list: null;
  /** By sort order the set of their ranks, made when first asked for. Ranks by `downloads` are the rows themselves. */
  sets: { downloads: Int32Array } & { [S in Sort]?: Int32Array };
  count: number;
}

export const NONE: Few = { list: new Int32Array(0), sets: null };

/** So long a list is no larger than a set, and sieved faster. */
export const mostFew = ({ count }: Segment): number => Math.max(16, count >>> 5);

/** An ascending list of any length. */
export function rowsOfList(segment: Segment, list: Int32Array): Rows {
  if (list.length <= mostFew(segment)) return { list, sets: null };
  const set = new Int32Array(bitWords(segment.count));
  for (let i = 0; i < list.length; i++) setBit(set, list[i] as number);
  return { list: null, sets: { downloads: set }, count: list.length };
}

/** Keeps the set where there are many. */
export function rowsOfSet(segment: Segment, set: Int32Array): Rows {
  const count = countBits(set);
  if (count <= mostFew(segment)) return { list: membersBetween(set, 0, count), sets: null };
  return { list: null, sets: { downloads: set }, count };
}

export function setInOrder(segment: Segment, { sets }: Many, sort: Sort): Int32Array {
  if (sort !== 'downloads') sets[sort] ??= movedBits(sets.downloads, rankByRow(segment, sort));
  return sets[sort] as Int32Array;
}

/** Bytes at most, whichever orders are asked for. */
export const rowsBytes = ({ list, sets }: Rows): number =>
  256 + (list === null ? sets.downloads.byteLength * 4 : list.byteLength);
