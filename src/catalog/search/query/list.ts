import { bitOf, membersBetween } from '../index/bitset.ts';
import { addBelow, sortRanks, takeBetween } from '../index/row-sorter.ts';
import { type OtherSort, rankByRow, rowByRank, type Segment, type Sort } from '../index/segment.ts';
import type { ListQuery } from './list-query.ts';
import type { ListView, SegmentReader } from './list-view.ts';
import { type Match, matchRows } from './match.ts';
import { CHECKPOINT_STRIDE, type Checkpoints, mostListed, noCheckpoints } from './row-set.ts';

/** Lists: which rows match a query, and one page of them in the wanted order. */

/** `hits` are valid until the view's next query. */
export interface ListPage {
  total_count: number;
  hits: Int32Array;
}

type PageQuery = Pick<ListQuery, 'sort' | 'limit' | 'offset'>;

export function findPage(view: ListView, query: ListQuery): ListPage {
  const inBase = matchRows(view.base, query, view.deleted);
  return pageOf(view, inBase, view.delta === null ? null : matchRows(view.delta.reader, query, null), query);
}

/** A page of what matches in the base and in the delta. */
export function pageOf(view: ListView, inBase: Match, inDelta: Match | null, query: PageQuery): ListPage {
  const { sort, offset, limit } = query;
  if (view.delta === null || inDelta === null || inDelta.count === 0) {
    const ranks = ranksBetween(view.base, inBase, sort, offset, offset + limit);
    return { total_count: inBase.count, hits: rowsOfRanks(view.base.segment, sort, ranks) };
  }
  return {
    total_count: inBase.count + inDelta.count,
    hits: mergePages(view.base, inBase, view.delta, inDelta, query),
  };
}

/** The base is read from `inDelta.count` rows before the page on, because at most that many rows of the delta come before it. */
function mergePages(
  base: SegmentReader,
  inBase: Match,
  delta: NonNullable<ListView['delta']>,
  inDelta: Match,
  { sort, offset, limit }: PageQuery,
): Int32Array {
  const positions = delta.positions[sort];
  const deltaRanks = ranksBetween(delta.reader, inDelta, sort, 0, inDelta.count);
  const start = Math.max(0, offset - inDelta.count);
  const baseRanks = ranksBetween(base, inBase, sort, start, offset + limit);
  const positionOf = (j: number): number => positions[deltaRanks[j] as number] as number;
  let i = 0;
  let j = 0;
  if (start > 0) while (j < deltaRanks.length && positionOf(j) <= (baseRanks[0] ?? base.segment.count)) j++;
  const size = Math.max(0, Math.min(limit, inBase.count + inDelta.count - offset));
  const hits = new Int32Array(size);
  for (let at = start + j; at < offset + size; at++) {
    const baseRank = baseRanks[i];
    const isOfDelta = j < deltaRanks.length && (baseRank === undefined || positionOf(j) <= baseRank);
    const rank = isOfDelta ? (deltaRanks[j++] as number) : (baseRanks[i++] as number);
    if (at < offset) continue;
    const row =
      sort === 'downloads' ? rank : (rowByRank(isOfDelta ? delta.reader.segment : base.segment, sort)[rank] as number);
    hits[at - offset] = isOfDelta ? -1 - row : row;
  }
  return hits;
}

/** In place. */
function rowsOfRanks(segment: Segment, sort: Sort, ranks: Int32Array): Int32Array {
  if (sort === 'downloads') return ranks;
  const order = rowByRank(segment, sort);
  for (let i = 0; i < ranks.length; i++) ranks[i] = order[ranks[i] as number] as number;
  return ranks;
}

/** Ranks of the `from`th to before the `to`th match, ascending. Valid until the reader's next query. */
function ranksBetween(reader: SegmentReader, match: Match, sort: Sort, from: number, to: number): Int32Array {
  const end = Math.min(to, match.count);
  const page = pageMemory(reader, Math.max(0, end - from));
  if (page.length === 0) return page;
  if (match.count === reader.segment.count) return countUp(page, from);
  if (sort !== 'downloads') return ranksInOrder(reader, match, sort, from, page);
  if (match.list === null) return membersBetween(match.set, from, end, page);
  for (let i = 0; i < page.length; i++) page[i] = match.list[from + i] as number;
  return page;
}

/** The same for an order other than that of the rows: walk the order until the page is full, or sort the ranks of all matches. */
function ranksInOrder(
  reader: SegmentReader,
  match: Match,
  sort: OtherSort,
  from: number,
  page: Int32Array,
): Int32Array {
  const { segment, sorter, scratch } = reader;
  const { count } = match;
  const end = from + page.length;
  // Ranks are usually spread evenly, so the page ends at about this one.
  const last = Math.ceil((end * segment.count) / count);
  let list = match.list as Int32Array;
  if (match.list === null) {
    if (count > mostListed(segment) || last < segment.count / 32 + count * RANKING_STEPS)
      return walkRanks(match.set, rowByRank(segment, sort), match.checkpoints?.[sort] ?? noCheckpoints(), from, page);
    list = membersBetween(match.set, 0, count, scratch.list);
  }
  const rank = rankByRow(segment, sort);
  if (last > segment.count / 4 && count > segment.count / 512) return sortRanks(sorter, list, count, rank, from, page);
  const added = addBelow(sorter, list, count, rank, last * 2);
  if (added < end) addBelow(sorter, list, count, rank, segment.count);
  return takeBetween(sorter, from, end, page);
}

/** Ranking a row takes as long as this many steps of a walk. */
const RANKING_STEPS = 6;

/** Fills `page` with the ranks of the `from`th member and those after it. There must be that many. */
export function walkRanks(
  set: Int32Array,
  order: Int32Array,
  checkpoints: Checkpoints,
  from: number,
  page: Int32Array,
): Int32Array {
  const last = Math.min(checkpoints.length - 1, Math.floor(from / CHECKPOINT_STRIDE));
  let seen = last * CHECKPOINT_STRIDE;
  let rank = checkpoints[last] as number;
  for (; seen + CHECKPOINT_STRIDE <= from; seen += CHECKPOINT_STRIDE) {
    rank = skipMembers(set, order, rank, CHECKPOINT_STRIDE);
    checkpoints.push(rank);
  }
  rank = skipMembers(set, order, rank, from - seen);
  for (let filled = 0; filled < page.length; rank++) {
    page[filled] = rank;
    filled += bitOf(set, order[rank] as number);
  }
  return page;
}

/** Both loops avoid a branch per row, which the processor would often mispredict. */
function skipMembers(set: Int32Array, order: Int32Array, rank: number, members: number): number {
  let at = rank;
  for (let skipped = 0; skipped < members; at++) skipped += bitOf(set, order[at] as number);
  return at;
}

function countUp(page: Int32Array, from: number): Int32Array {
  for (let i = 0; i < page.length; i++) page[i] = from + i;
  return page;
}

/** Usually the reader's own: new memory for each page would be most of what a query allocates. */
const pageMemory = ({ scratch: { page } }: SegmentReader, length: number): Int32Array =>
  length <= page.length ? page.subarray(0, length) : new Int32Array(length);
