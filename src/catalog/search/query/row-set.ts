import { bitsOf, countBits, membersBetween } from '../index/bitset.ts';
import type { OtherSort, Segment } from '../index/segment.ts';

/** The rows that match one condition: a list if they are few, a bitset if they are many. */
export type RowSet = RowList | RowBits;

interface RowList {
  /** Ascending. */
  list: Int32Array;
  set: null;
  /** Memory beside the segment's own. */
  bytes: number;
}

export interface RowBits {
  list: null;
  set: Int32Array;
  count: number;
  checkpoints: Record<OtherSort, Checkpoints>;
  /** With the most checkpoints that it can have. */
  bytes: number;
}

/**
 * Where walks through the set in one sort order have been: the rank before which `i * CHECKPOINT_STRIDE` members are. A later page is
 * read from the last checkpoint before it, and a walk that goes further adds checkpoints.
 */
export type Checkpoints = number[];

export const noCheckpoints = (): Checkpoints => [0];

export const CHECKPOINT_STRIDE = 64;

/** The most bytes that checkpoints of a set with `count` members take, in the three orders together. */
export const mostCheckpointBytes = (count: number): number => Math.ceil(count / CHECKPOINT_STRIDE) * 8 * 3;

export const NO_ROWS: RowList = { list: new Int32Array(0), set: null, bytes: 0 };

/** A list of up to this length is no larger than a bitset, and quicker to filter. */
export const mostListed = ({ count }: Segment): number => Math.max(16, count >>> 5);

/** Of a list in the segment, which may have any length. */
export function rowsOfList(segment: Segment, list: Int32Array): RowSet {
  if (list.length <= mostListed(segment)) return { list, set: null, bytes: 0 };
  const set = bitsOf(list, segment.count);
  return rowBits(set, list.length, set.byteLength);
}

/** Keeps the set if it has many members. `bytes` are 0 for a set in the segment. */
export function rowsOfSet(segment: Segment, set: Int32Array, bytes = set.byteLength): RowSet {
  const count = countBits(set);
  if (count > mostListed(segment)) return rowBits(set, count, bytes);
  const list = membersBetween(set, 0, count, new Int32Array(count));
  return { list, set: null, bytes: list.byteLength };
}

const rowBits = (set: Int32Array, count: number, bytes: number): RowBits => ({
  list: null,
  set,
  count,
  checkpoints: { stars: noCheckpoints(), updated: noCheckpoints(), name: noCheckpoints() },
  bytes: bytes + mostCheckpointBytes(count),
});
