import type { Item } from '#catalog/items/item.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '#catalog/items/kinds.ts';
import { bitWords, popcount } from '../index/bitset.ts';
import { readItem } from '../index/key-table.ts';
import type { Places } from '../index/places.ts';
import { rowByRank, type Segment, type Sort } from '../index/segment.ts';
import type { CatalogState } from '../index/state.ts';
import type { ListQuery } from './list-query.ts';
import { type Match, matchRows, ranksBetween } from './match.ts';
import { type Reader, readerOf } from './reader.ts';

/** One state ready to be read by one thread. */
export interface View {
  version: string;
  base: Reader;
  dead: Int32Array | null;
  delta: { reader: Reader; places: Places } | null;
}

/** Keeps what was gathered for the base where the base is the same. */
export function viewOf(state: CatalogState, before: View | null): View {
  const sameBase = before !== null && before.base.segment.json.buffer === state.base.json.buffer;
  return {
    version: state.version,
    base: sameBase ? before.base : readerOf(state.base),
    dead: state.dead,
    delta: state.delta === null ? null : { reader: readerOf(state.delta.segment), places: state.delta.places },
  };
}

/** A page of rows: 0 and above in the base, `-1 - row` in the delta. Valid until the view's next query. */
export interface Found {
  total_count: number;
  rows: Int32Array;
}

export function find(view: View, query: ListQuery): Found {
  const inBase = matchRows(view.base, query, view.dead);
  return pageOf(view, inBase, view.delta === null ? null : matchRows(view.delta.reader, query, null), query);
}

/** The page of what was found in both parts. */
export function pageOf(
  view: View,
  inBase: Match,
  inDelta: Match | null,
  query: Pick<ListQuery, 'sort' | 'limit' | 'offset'>,
): Found {
  const { sort, offset } = query;
  if (view.delta === null || inDelta === null || inDelta.count === 0) {
    const ranks = ranksBetween(view.base, inBase, sort, offset, offset + query.limit);
    return { total_count: inBase.count, rows: rowsOfRanks(view.base.segment, sort, ranks) };
  }
  return {
    total_count: inBase.count + inDelta.count,
    rows: merge(view.base, inBase, view.delta, inDelta, query),
  };
}

/** At most all of the delta's matches stand before the page, so the base is read from that much before it on. */
function merge(
  base: Reader,
  inBase: Match,
  delta: NonNullable<View['delta']>,
  inDelta: Match,
  query: Pick<ListQuery, 'sort' | 'limit' | 'offset'>,
) {
  const { sort, offset, limit } = query;
  const places = delta.places[sort];
  const deltaRanks = ranksBetween(delta.reader, inDelta, sort, 0, inDelta.count);
  const start = Math.max(0, offset - inDelta.count);
  const baseRanks = ranksBetween(base, inBase, sort, start, offset + limit);
  const placeOf = (j: number): number => places[deltaRanks[j] as number] as number;
  let i = 0;
  let j = 0;
  if (start > 0) while (j < deltaRanks.length && placeOf(j) <= (baseRanks[0] ?? base.segment.count)) j++;
  const size = Math.max(0, Math.min(limit, inBase.count + inDelta.count - offset));
  const rows = new Int32Array(size);
  for (let at = start + j; at < offset + size; at++) {
    const baseRank = baseRanks[i];
    const fromDelta = j < deltaRanks.length && (baseRank === undefined || placeOf(j) <= baseRank);
    const rank = fromDelta ? (deltaRanks[j++] as number) : (baseRanks[i++] as number);
    if (at < offset) continue;
    const row =
      sort === 'downloads' ? rank : (rowByRank(fromDelta ? delta.reader.segment : base.segment, sort)[rank] as number);
    rows[at - offset] = fromDelta ? -1 - row : row;
  }
  return rows;
}

/** In place. */
function rowsOfRanks(segment: Segment, sort: Sort, ranks: Int32Array): Int32Array {
  if (sort === 'downloads') return ranks;
  const order = rowByRank(segment, sort);
  for (let i = 0; i < ranks.length; i++) ranks[i] = order[ranks[i] as number] as number;
  return ranks;
}

export const readerAt = (view: View, row: number): Reader =>
  row >= 0 ? view.base : (view.delta as NonNullable<View['delta']>).reader;

export const itemsOf = (view: View, rows: Int32Array): Item[] =>
  Array.from(rows, (row) => readItem(readerAt(view, row).segment, row >= 0 ? row : -1 - row));

export interface Count {
  provider: string;
  listing_type: string;
  execution_class: string;
  count: number;
}

/** How many listings there are of each provider, type and class; combinations without any are left out. */
export function countsOf(view: View): Count[] {
  const counts: Count[] = [];
  PROVIDERS.forEach((provider, p) => {
    LISTING_TYPES.forEach((listing_type, t) => {
      EXECUTION_CLASSES.forEach((execution_class, c) => {
        const inDelta = view.delta === null ? 0 : countOf(view.delta.reader.segment, null, p, t, c);
        const count = countOf(view.base.segment, view.dead, p, t, c) + inDelta;
        if (count > 0) counts.push({ provider, listing_type, execution_class, count });
      });
    });
  });
  return counts;
}

function countOf(segment: Segment, dead: Int32Array | null, p: number, t: number, c: number): number {
  const words = bitWords(segment.count);
  let count = 0;
  for (let w = 0; w < words; w++) {
    const both =
      (segment.providers[p * words + w] as number) &
      (segment.types[t * words + w] as number) &
      (segment.classes[c * words + w] as number);
    if (both !== 0) count += popcount(dead === null ? both : both & ~(dead[w] as number));
  }
  return count;
}
