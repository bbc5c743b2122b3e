import { andBits, andNotBits, fillBits, membersBetween } from '../index/bitset.ts';
import { type OtherSort, rankByRow, rowByRank, type Sort } from '../index/segment.ts';
import { dropMembers, keepBoth, keepMembers } from '../index/sieve.ts';
import { conditionsOf } from './conditions.ts';
import type { ListQuery } from './list-query.ts';
import { addBelow, rankMany, takeBetween } from './rank-sorter.ts';
import { noStops, walkRanks } from './rank-walk.ts';
import type { Reader } from './reader.ts';
import { type Many, mostFew } from './row-set.ts';

/**
 * The rows that a query finds in one segment: the first `count` of an ascending list, or a set. Either may be the
 * reader's scratch, so it is valid until the reader's next query.
 */
export type Match = { count: number } & (
  | { list: Int32Array; set: null }
  /** `stops` are those of the one condition that the set is of. */
  | { list: null; set: Int32Array; stops: Many['stops'] | null }
);

/** `dead` are rows that no longer count. */
export function matchRows(reader: Reader, query: ListQuery, dead: Int32Array | null): Match {
  const lists: Int32Array[] = [];
  const many: Many[] = [];
  for (const rows of conditionsOf(reader, query)) {
    if (rows.list === null) many.push(rows);
    else lists.push(rows.list);
  }
  return lists.length > 0 ? matchLists(reader, lists, many, dead) : matchSets(reader, many, dead);
}

/** The shortest list, sieved by everything else. */
function matchLists({ scratch: { list } }: Reader, lists: Int32Array[], many: Many[], dead: Int32Array | null): Match {
  lists.sort((a, b) => a.length - b.length);
  const [shortest, ...others] = lists as [Int32Array, ...Int32Array[]];
  let count = shortest.length;
  if (lists.length === 1 && many.length === 0 && dead === null) return { list: shortest, set: null, count };
  list.set(shortest);
  for (const { set } of many) count = keepMembers(list, count, set);
  if (dead !== null) count = dropMembers(list, count, dead);
  for (const other of others) count = keepBoth(list, count, other);
  return { list, set: null, count };
}

function matchSets({ segment, scratch }: Reader, many: Many[], dead: Int32Array | null): Match {
  const into = scratch.set;
  const [first, ...others] = many;
  let set = first?.set ?? into;
  let count = first?.count ?? segment.count;
  if (first === undefined) fillBits(into, count);
  for (const other of others) {
    count = andBits(into, set, other.set);
    set = into;
  }
  if (dead !== null) {
    count = andNotBits(into, set, dead);
    set = into;
  }
  return { list: null, set, count, stops: first?.set === set ? first.stops : null };
}

/** Ascending ranks: those of the `from`th found listing to before the `to`th. Valid until the reader's next query. */
export function ranksBetween(reader: Reader, match: Match, sort: Sort, from: number, to: number): Int32Array {
  const end = Math.min(to, match.count);
  const page = pageOf(reader, Math.max(0, end - from));
  if (page.length === 0) return page;
  if (match.count === reader.segment.count) return countUp(page, from);
  if (sort !== 'downloads') return ranksInOrder(reader, match, sort, from, page);
  if (match.list === null) return membersBetween(match.set, from, end, page);
  for (let i = 0; i < page.length; i++) page[i] = match.list[from + i] as number;
  return page;
}

/** The same in an order in which the rows do not stand. */
function ranksInOrder(reader: Reader, match: Match, sort: OtherSort, from: number, page: Int32Array): Int32Array {
  const { segment, sorter, scratch } = reader;
  const { count } = match;
  const end = from + page.length;
  // Ranks are spread evenly, as a rule: the page ends at about this one.
  const last = Math.ceil((end * segment.count) / count);
  let list = match.list as Int32Array;
  if (match.list === null) {
    if (count > mostFew(segment) || last < segment.count / 32 + count * RANKING)
      return walkRanks(match.set, rowByRank(segment, sort), match.stops?.[sort] ?? noStops(), from, page);
    list = membersBetween(match.set, 0, count, scratch.list);
  }
  const rank = rankByRow(segment, sort);
  if (last > segment.count / 4 && count > segment.count / 512) return rankMany(sorter, list, count, rank, from, page);
  const added = addBelow(sorter, list, count, rank, last * 2);
  if (added < end) addBelow(sorter, list, count, rank, segment.count);
  return takeBetween(sorter, from, end, page);
}

/** Ranking a row takes as long as so many steps of a walk. */
const RANKING = 6;

function countUp(page: Int32Array, from: number): Int32Array {
  for (let i = 0; i < page.length; i++) page[i] = from + i;
  return page;
}

/** Of the reader's own where it is long enough: memory for each page would be most of what a query allocates. */
const pageOf = ({ scratch: { page } }: Reader, length: number): Int32Array =>
  length <= page.length ? page.subarray(0, length) : new Int32Array(length);
