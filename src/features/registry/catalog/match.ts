import { andBits, andNotBits, fillBits, membersBetween, setBit } from './bits.ts';
import { eachCondition } from './conditions.ts';
import type { ListQuery } from './query.ts';
import type { Reader } from './reader.ts';
import { type Many, setInOrder } from './rows.ts';
import { rankByRow, type Sort } from './segment.ts';
import { keepBoth, keepWhere } from './sieve.ts';

/**
 * What a query finds in one segment, as ranks in its sort order: the first `count` of a list, ascending only by
 * `downloads`, or a set. Either may be the reader's scratch, so it is valid until the reader's next query.
 */
export type Match = { count: number } & ({ list: Int32Array; set: null } | { list: null; set: Int32Array });

/** Sets of ranks, one for each sort order. */
export type SetsByOrder = Record<Sort, Int32Array>;

/** `dead` are listings that no longer count. */
export function matchRows(reader: Reader, query: ListQuery, dead: SetsByOrder | null): Match {
  const lists: Int32Array[] = [];
  const sets: Int32Array[] = [];
  let one: Many | null = null;
  eachCondition(reader, query, (rows) => {
    if (rows.list !== null) lists.push(rows.list);
    else sets.push(setInOrder(reader.segment, (one = rows), query.sort));
  });
  const without = dead === null ? null : dead[query.sort];
  if (lists.length > 0) return matchLists(reader, lists, sets, without, query.sort);
  const [first, second] = sets;
  if (first !== undefined && second === undefined && without === null)
    return { list: null, set: first, count: (one as Many | null)?.count as number };
  return matchSets(reader, sets, without);
}

/** The shortest list, sieved by everything else: first as rows by the other lists, then as ranks by the sets. */
function matchLists(
  { segment, scratch }: Reader,
  lists: Int32Array[],
  sets: Int32Array[],
  without: Int32Array | null,
  sort: Sort,
): Match {
  lists.sort((a, b) => a.length - b.length);
  const [shortest, ...others] = lists as [Int32Array, ...Int32Array[]];
  let count = shortest.length;
  if (lists.length === 1 && sets.length === 0 && without === null && sort === 'downloads')
    return { list: shortest, set: null, count };
  const { list } = scratch;
  list.set(shortest);
  for (const other of others) count = keepBoth(list, count, other);
  if (sort !== 'downloads') {
    const rank = rankByRow(segment, sort);
    for (let i = 0; i < count; i++) list[i] = rank[list[i] as number] as number;
  }
  for (const set of sets) count = keepWhere(list, count, set, true);
  if (without !== null) count = keepWhere(list, count, without, false);
  return { list, set: null, count };
}

function matchSets({ segment, scratch }: Reader, sets: Int32Array[], without: Int32Array | null): Match {
  const into = scratch.sets[0];
  let set = sets[0];
  let { count } = segment;
  if (set === undefined) {
    fillBits(into, count);
    set = into;
  }
  for (let i = 1; i < sets.length; i++) {
    count = andBits(into, set, sets[i] as Int32Array);
    set = into;
  }
  if (without !== null) {
    count = andNotBits(into, set, without);
    set = into;
  }
  return { list: null, set, count };
}

/** Ascending ranks: those of the `from`th found listing to before the `to`th. */
export function ranksBetween(reader: Reader, match: Match, sort: Sort, from: number, to: number): Int32Array {
  const end = Math.min(to, match.count);
  if (from >= end) return new Int32Array(0);
  if (match.list === null) return membersBetween(match.set, from, end);
  if (sort === 'downloads') return match.list.subarray(from, end);
  if (match.count * SORT_BELOW < reader.segment.count)
    return match.list.slice(0, match.count).sort().subarray(from, end);
  const set = reader.scratch.sets[1].fill(0);
  for (let i = 0; i < match.count; i++) setBit(set, match.list[i] as number);
  return membersBetween(set, from, end);
}

/** Up to one listing in so many, sorting a list is faster than going through a set. */
const SORT_BELOW = 1024;
