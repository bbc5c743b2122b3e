import { andBits, andNotBits, fillBits } from '../index/bitset.ts';
import { dropMembers, keepCommon, keepMembers } from '../index/sorted-rows.ts';
import { conditionsOf } from './conditions.ts';
import type { ListQuery } from './list-query.ts';
import type { SegmentReader } from './list-view.ts';
import type { RowBits } from './row-set.ts';

/**
 * The rows of one segment that match a query: the first `count` of an ascending list, or a set. Both may be scratch memory, so they are
 * valid until the reader's next query.
 */
export type Match = { count: number } & (
  | { list: Int32Array; set: null }
  /** `checkpoints` are those of the only condition, if there is one. */
  | { list: null; set: Int32Array; checkpoints: RowBits['checkpoints'] | null }
);

/** Intersects all conditions and leaves out the deleted rows. */
export function matchRows(reader: SegmentReader, query: ListQuery, deleted: Int32Array | null): Match {
  const lists: Int32Array[] = [];
  const sets: RowBits[] = [];
  for (const rows of conditionsOf(reader, query)) {
    if (rows.list === null) sets.push(rows);
    else lists.push(rows.list);
  }
  return lists.length > 0 ? intersectLists(reader, lists, sets, deleted) : intersectSets(reader, sets, deleted);
}

/** Filters the shortest list by everything else. */
function intersectLists(
  { scratch: { list } }: SegmentReader,
  lists: Int32Array[],
  sets: RowBits[],
  deleted: Int32Array | null,
): Match {
  lists.sort((a, b) => a.length - b.length);
  const [shortest, ...others] = lists as [Int32Array, ...Int32Array[]];
  let count = shortest.length;
  if (lists.length === 1 && sets.length === 0 && deleted === null) return { list: shortest, set: null, count };
  list.set(shortest);
  for (const { set } of sets) count = keepMembers(list, count, set);
  if (deleted !== null) count = dropMembers(list, count, deleted);
  for (const other of others) count = keepCommon(list, count, other);
  return { list, set: null, count };
}

function intersectSets({ segment, scratch }: SegmentReader, sets: RowBits[], deleted: Int32Array | null): Match {
  const into = scratch.set;
  const [first, ...others] = sets;
  let set = first?.set ?? into;
  let count = first?.count ?? segment.count;
  if (first === undefined) fillBits(into, count);
  for (const other of others) {
    count = andBits(into, set, other.set);
    set = into;
  }
  if (deleted !== null) {
    count = andNotBits(into, set, deleted);
    set = into;
  }
  return { list: null, set, count, checkpoints: first?.set === set ? first.checkpoints : null };
}
