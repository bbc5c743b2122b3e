import { andBits, andNotBits, bitWords, countBits, hasBit, setBit } from '../index/bitset.ts';
import { MOST_NAME_PARTS, setAt } from '../index/segment.ts';
import { rowsNamed, rowsNamedLike, rowsOfTerm } from './conditions.ts';
import type { ListQuery } from './list-query.ts';
import type { SegmentReader } from './list-view.ts';
import { type Match, matchRows } from './match.ts';
import type { RowSet } from './row-set.ts';

/**
 * Splits a segment's matches into tiers, the best first. A row is in one tier only. Within a tier, rows are in order of downloads.
 */
export interface Tiers {
  tiers: Tier[];
  /** All matches, also those in tiers that were not computed. */
  total_count: number;
}

export interface Tier {
  set: Int32Array;
  count: number;
}

export interface TierQuery {
  query: ListQuery;
  /** The terms split like names (fold.ts). */
  parts: readonly string[];
  /** Rows with the requested id; null if the text is not an id. */
  ids: readonly number[] | null;
  deleted: Int32Array | null;
  /** Tiers are computed until they have this many rows. */
  enough: number;
}

/** Rows with all terms: by id, by the exact name, all terms as words of the name, all as prefixes of them, some of them, the rest. */
export function tiersOfAll(reader: SegmentReader, { query, parts, ids, deleted, enough }: TierQuery): Tiers {
  const workspace = workspaceOf(reader);
  const rest = workspace.next();
  copyMatch(rest, matchRows(reader, query, deleted));
  for (const row of ids ?? []) setBit(rest, row);
  const split = splitter(rest, workspace, enough);
  if (ids !== null) split.take((set) => keepRows(set, { list: Int32Array.from(ids).sort(), set: null }));
  if (parts.length > 0) takeNamed(reader, parts, workspace, split.take);
  return split.finish();
}

type Narrow = (set: Int32Array) => void;

function takeNamed(
  reader: SegmentReader,
  parts: readonly string[],
  workspace: Workspace,
  take: (narrow: Narrow) => void,
): void {
  const hasAllParts: Narrow = (set) => {
    for (const part of parts) keepRows(set, rowsNamed(reader, part));
  };
  const { nameSizes, count } = reader.segment;
  if (parts.length <= MOST_NAME_PARTS)
    take((set) => {
      hasAllParts(set);
      andBits(set, set, setAt(nameSizes, parts.length - 1, count));
    });
  take(hasAllParts);
  take((set) => {
    for (const part of parts) keepRows(set, rowsNamedLike(reader, part));
  });
  if (parts.length > 1) take((set) => andBits(set, set, anyNamed(reader, parts, workspace)));
}

/** Rows with a word in their name that starts with one of the parts. */
function anyNamed(reader: SegmentReader, parts: readonly string[], workspace: Workspace): Int32Array {
  const any = workspace.next().fill(0);
  for (const part of parts) addRows(any, rowsNamedLike(reader, part));
  return any;
}

/** The planes below can count to 15. Further terms are ignored. */
export const MOST_PARTIAL_TERMS = 15;

/** Rows with some of the terms: those with most of them first, and among these first those with one in the name. */
export function tiersOfSome(reader: SegmentReader, { query, parts, deleted, enough }: TierQuery): Tiers {
  const workspace = workspaceOf(reader);
  const within = workspace.next();
  copyMatch(within, matchRows(reader, { ...query, terms: [] }, deleted));
  // Plane i has bit i of the number of terms that each row has.
  const planes = [0, 1, 2, 3].map(() => workspace.next().fill(0));
  for (const term of query.terms) countIn(planes, rowsOfTerm(reader, term));
  const named = anyNamed(reader, parts, workspace);
  const some = workspace.next();
  for (let w = 0; w < some.length; w++)
    some[w] = planes.reduce((any, plane) => any | (plane[w] as number), 0) & (within[w] as number);
  const split = splitter(some, workspace, enough);
  for (let terms = query.terms.length; terms > 0; terms--) {
    const hasCount: Narrow = (set) => {
      for (const [bit, plane] of planes.entries()) {
        if ((terms & (1 << bit)) === 0) andNotBits(set, set, plane);
        else andBits(set, set, plane);
      }
    };
    split.take((set) => {
      hasCount(set);
      andBits(set, set, named);
    });
    split.take(hasCount);
  }
  return split.finish();
}

/** Whether any listing that the other conditions match has the term. */
export const hasTerm = (
  reader: SegmentReader,
  { query, deleted }: Pick<TierQuery, 'query' | 'deleted'>,
  term: string,
): boolean => matchRows(reader, { ...query, terms: [term] }, deleted).count > 0;

/** How many listings have the term, whatever the other conditions. */
export function countTerm(reader: SegmentReader, term: string): number {
  const rows = rowsOfTerm(reader, term);
  return rows.list === null ? rows.count : rows.list.length;
}

/** Adds one to the count of each row. */
function countIn(planes: Int32Array[], { list, set }: RowSet): void {
  if (list === null) {
    for (let w = 0; w < set.length; w++) carry(planes, w, set[w] as number);
    return;
  }
  for (let i = 0; i < list.length; i++) carry(planes, (list[i] as number) >>> 5, 1 << ((list[i] as number) & 31));
}

function carry(planes: Int32Array[], word: number, bits: number): void {
  let left = bits;
  for (let p = 0; left !== 0 && p < planes.length; p++) {
    const plane = planes[p] as Int32Array;
    const before = plane[word] as number;
    plane[word] = before ^ left;
    left &= before;
  }
}

/** Takes tier after tier out of `rest`, until they have `enough` rows. What remains is the last tier. */
function splitter(rest: Int32Array, workspace: Workspace, enough: number) {
  const total_count = countBits(rest);
  const tiers: Tier[] = [];
  let found = 0;
  return {
    /** `narrow` removes from the set what does not belong to the tier. */
    take(narrow: Narrow): void {
      // A tier that is not computed keeps its place, because the tiers of two segments are merged one by one.
      if (found >= Math.min(enough, total_count)) return void tiers.push({ set: rest, count: 0 });
      const set = workspace.next();
      set.set(rest);
      narrow(set);
      const count = countBits(set);
      if (count > 0) andNotBits(rest, rest, set);
      tiers.push({ set, count });
      found += count;
    },
    finish: (): Tiers => ({ tiers: [...tiers, { set: rest, count: total_count - found }], total_count }),
  };
}

/** Bitsets to work with. They belong to the reader, and their contents are valid until its next query. */
interface Workspace {
  next(): Int32Array;
}

const kept = new WeakMap<SegmentReader, Int32Array[]>();

function workspaceOf(reader: SegmentReader): Workspace {
  const sets = kept.get(reader) ?? [];
  kept.set(reader, sets);
  let at = 0;
  return { next: () => (sets[at++] ??= new Int32Array(bitWords(reader.segment.count))) };
}

/** A match may be the reader's scratch memory, so it is copied. */
function copyMatch(into: Int32Array, { list, set, count }: Match): void {
  if (list === null) into.set(set);
  else {
    into.fill(0);
    for (let i = 0; i < count; i++) setBit(into, list[i] as number);
  }
}

type Rows = Pick<RowSet, 'list' | 'set'>;

/** Removes from the set what is not among the rows. */
function keepRows(set: Int32Array, rows: Rows): void {
  if (rows.list === null) return void andBits(set, set, rows.set as Int32Array);
  const common: number[] = [];
  for (let i = 0; i < rows.list.length; i++)
    if (hasBit(set, rows.list[i] as number)) common.push(rows.list[i] as number);
  set.fill(0);
  for (const row of common) setBit(set, row);
}

function addRows(set: Int32Array, { list, set: other }: RowSet): void {
  if (list === null) for (let w = 0; w < set.length; w++) set[w] = (set[w] as number) | (other[w] as number);
  else for (let i = 0; i < list.length; i++) setBit(set, list[i] as number);
}
