import { andBits, andNotBits, fillBits, membersBetween } from './bits.ts';
import { conditionsOf } from './conditions.ts';
import type { ListQuery } from './query.ts';
import type { Reader } from './reader.ts';
import { type Many, setInOrder } from './rows.ts';
import { rankByRow, type Sort } from './segment.ts';
import { dropMembers, keepBoth, keepMembers } from './sieve.ts';
import { addBelow, takeBetween } from './sorter.ts';

/**
 * What a query finds in one segment, as ranks in its sort order: the first `count` of a list, ascending only by
 * `downloads`, or a set. Either may be the reader's scratch, so it is valid until the reader's next query.
 */
export type Match = { count: number } & ({ list: Int32Array; set: null } | { list: null; set: Int32Array });

/** Sets of ranks, one for each sort order. */
export type SetsByOrder = Record<Sort, Int32Array>;

/** `dead` are listings that no longer count. */
export function matchRows(reader: Reader, query: ListQuery, dead: SetsByOrder | null): Match {
  const { sort } = query;
  const lists: Int32Array[] = [];
  const many: Many[] = [];
  for (const rows of conditionsOf(reader, query)) {
    if (rows.list === null) many.push(rows);
    else lists.push(rows.list);
  }
  if (lists.length > 0) return matchLists(reader, lists, many, dead, sort);
  const sets = many.map((rows) => setInOrder(reader.segment, rows, sort));
  return matchSets(reader, sets, dead === null ? null : dead[sort], many[0]?.count ?? reader.segment.count);
}

/** The shortest list, sieved by everything else as rows; what is left is ranked. */
function matchLists(
  { segment, scratch }: Reader,
  lists: Int32Array[],
  many: Many[],
  dead: SetsByOrder | null,
  sort: Sort,
): Match {
  lists.sort((a, b) => a.length - b.length);
  const [shortest, ...others] = lists as [Int32Array, ...Int32Array[]];
  let count = shortest.length;
  if (lists.length === 1 && many.length === 0 && dead === null && sort === 'downloads')
    return { list: shortest, set: null, count };
  const { list } = scratch;
  list.set(shortest);
  for (const { sets } of many) count = keepMembers(list, count, sets.downloads);
  if (dead !== null) count = dropMembers(list, count, dead.downloads);
  for (const other of others) count = keepBoth(list, count, other);
  if (sort !== 'downloads') {
    const rank = rankByRow(segment, sort);
    for (let i = 0; i < count; i++) list[i] = rank[list[i] as number] as number;
  }
  return { list, set: null, count };
}

/** `count` is that of the first set, or of all where there is none. */
function matchSets(reader: Reader, sets: Int32Array[], without: Int32Array | null, count: number): Match {
  const into = reader.scratch.set;
  let [set, ...others] = sets;
  if (set === undefined) {
    set = into;
    fillBits(set, count);
  }
  for (const other of others) {
    count = andBits(into, set, other);
    set = into;
  }
  if (without !== null) {
    count = andNotBits(into, set, without);
    set = into;
  }
  return { list: null, set, count };
}

/** Ascending ranks: those of the `from`th found listing to before the `to`th. Valid until the reader's next query. */
export function ranksBetween(reader: Reader, match: Match, sort: Sort, from: number, to: number): Int32Array {
  const end = Math.min(to, match.count);
  const page = pageOf(reader, Math.max(0, end - from));
  if (page.length === 0) return page;
  if (match.list === null) return membersBetween(match.set, from, end, page);
  const { sorter, segment } = reader;
  if (sort === 'downloads') {
    for (let i = 0; i < page.length; i++) page[i] = match.list[from + i] as number;
    return page;
  }
  // Ranks are spread evenly, as a rule: below twice the page's share of them the whole page is found, without the rest.
  const added = addBelow(sorter, match.list, match.count, Math.ceil((2 * end * segment.count) / match.count));
  if (added < end) addBelow(sorter, match.list, match.count, segment.count);
  return takeBetween(sorter, from, end, page);
}

/** Of the reader's own where it is long enough: memory for each page would be most of what a query allocates. */
const pageOf = ({ scratch: { page } }: Reader, length: number): Int32Array =>
  length <= page.length ? page.subarray(0, length) : new Int32Array(length);
