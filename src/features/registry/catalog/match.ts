import { andAndCount, andBits, andNotBits, countBits, fillBits, hasBit, membersBetween, setBit } from './bits.ts';
import type { ListQuery } from './query.ts';
import { closedSet, rankByRow, rowByRank, type Sort } from './segment.ts';
import { keepBoth, keepWhere } from './sieve.ts';
import { type Reader, type Rows, rowsOfTag, rowsOfTerm } from './terms.ts';

/** The rows of one segment that a query finds. `set` is the reader's scratch: valid until its next match. */
export type Match = { count: number } & Rows;

/** `dead` are rows that no longer count. */
export function matchRows(reader: Reader, query: ListQuery, dead: Int32Array | null): Match {
  const sets: Int32Array[] = [];
  const lists: Int32Array[] = [];
  const add = ({ list, set }: Rows): void => void (list === null ? sets.push(set) : lists.push(list));
  const empty = new Int32Array(0);
  const closed = (field: 'providers' | 'types' | 'classes', value: string | null): void => {
    if (value === null) return;
    const set = closedSet(reader.segment, field, value);
    add(set === undefined ? { list: empty, set: null } : { list: null, set });
  };
  closed('providers', query.provider);
  closed('types', query.listing_type);
  closed('classes', query.execution_class);
  if (query.tag !== null) add(rowsOfTag(reader.segment, query.tag));
  for (const term of query.terms) add(rowsOfTerm(reader, term));
  return lists.length > 0 ? matchLists(lists, sets, dead) : matchSets(reader, sets, dead);
}

/** The shortest list, sieved by everything else. */
function matchLists(lists: Int32Array[], sets: Int32Array[], dead: Int32Array | null): Match {
  lists.sort((a, b) => a.length - b.length);
  const [shortest, ...others] = lists as [Int32Array, ...Int32Array[]];
  if (others.length === 0 && sets.length === 0 && dead === null)
    return { list: shortest, set: null, count: shortest.length };
  const list = shortest.slice();
  let count = list.length;
  for (const set of sets) count = keepWhere(list, count, set, true);
  if (dead !== null) count = keepWhere(list, count, dead, false);
  for (const other of others) count = keepBoth(list, count, other);
  return { list: list.subarray(0, count), set: null, count };
}

function matchSets(reader: Reader, sets: Int32Array[], dead: Int32Array | null): Match {
  const set = reader.scratch[0];
  const [first, second, ...others] = sets;
  if (first === undefined) fillBits(set, reader.segment.count);
  else set.set(first);
  for (const other of others) andBits(set, other);
  if (dead !== null) andNotBits(set, dead);
  return { list: null, set, count: second === undefined ? countBits(set) : andAndCount(set, second) };
}

/** Ranks in the sort order, ascending: those of the `from`th found listing to before the `to`th. */
export function ranksBetween(reader: Reader, match: Match, sort: Sort, from: number, to: number): Int32Array {
  const end = Math.min(to, match.count);
  if (from >= end) return new Int32Array(0);
  if (sort === 'downloads')
    return match.list === null ? membersBetween(match.set, from, end) : match.list.subarray(from, end);
  const rank = rankByRow(reader.segment, sort);
  if (match.list === null) {
    // Where many are found and the page is near the start, walking the order is shorter than ranking them all.
    if (match.count * match.count > end * reader.segment.count)
      return walkOrder(match.set, rowByRank(reader.segment, sort), from, end);
    return membersBetween(rankSetOfSet(reader, match.set, rank), from, end);
  }
  if (match.count * 512 > reader.segment.count) return membersBetween(rankSet(reader, match.list, rank), from, end);
  return match.list
    .map((row) => rank[row] as number)
    .sort()
    .subarray(from, end);
}

function walkOrder(set: Int32Array, order: Int32Array, from: number, to: number): Int32Array {
  const ranks = new Int32Array(to - from);
  let seen = 0;
  for (let rank = 0; seen < to; rank++) {
    const row = order[rank] as number;
    if (!hasBit(set, row)) continue;
    if (seen >= from) ranks[seen - from] = rank;
    seen++;
  }
  return ranks;
}

function rankSet(reader: Reader, rows: Int32Array, rank: Int32Array): Int32Array {
  const set = reader.scratch[1].fill(0);
  for (let i = 0; i < rows.length; i++) setBit(set, rank[rows[i] as number] as number);
  return set;
}

function rankSetOfSet(reader: Reader, rows: Int32Array, rank: Int32Array): Int32Array {
  const set = reader.scratch[1].fill(0);
  for (let w = 0; w < rows.length; w++) {
    for (let word = rows[w] as number; word !== 0; word &= word - 1)
      setBit(set, rank[(w << 5) + 31 - Math.clz32(word & -word)] as number);
  }
  return set;
}
