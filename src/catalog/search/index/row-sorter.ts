import { bitWords, membersBetween, setBit } from './bitset.ts';

/**
 * Sorts a few small integers of a large range and drops duplicates. Each integer is a bit. A second level has a bit for each word that
 * is not empty, so that reading skips the empty ones. Always empty between two uses.
 */
export interface RowSorter {
  bits: Int32Array;
  nonempty: Int32Array;
}

export const rowSorter = (range: number): RowSorter => ({
  bits: new Int32Array(bitWords(range)),
  nonempty: new Int32Array(bitWords(bitWords(range))),
});

/** Adds `list[from]` to before `list[to]` and returns how many are new. */
export function addBetween(sorter: RowSorter, list: Int32Array, from: number, to: number): number {
  let added = 0;
  for (let i = from; i < to; i++) if (addOne(sorter, list[i] as number)) added++;
  return added;
}

/** Adds the ranks below the limit of the first `length` rows, and returns how many are new. */
export function addBelow(sorter: RowSorter, list: Int32Array, length: number, rank: Int32Array, limit: number): number {
  let added = 0;
  for (let i = 0; i < length; i++) {
    const value = rank[list[i] as number] as number;
    if (value < limit && addOne(sorter, value)) added++;
  }
  return added;
}

function addOne({ bits, nonempty }: RowSorter, value: number): boolean {
  const w = value >>> 5;
  const before = bits[w] as number;
  const after = before | (1 << (value & 31));
  if (before === after) return false;
  if (before === 0) nonempty[w >>> 5] = (nonempty[w >>> 5] as number) | (1 << (w & 31));
  bits[w] = after;
  return true;
}

/** Empties the sorter and fills `taken`, ascending, with the `from`th to before the `to`th. There must be that many. */
export function takeBetween({ bits, nonempty }: RowSorter, from: number, to: number, taken: Int32Array): Int32Array {
  let seen = 0;
  for (let a = 0; a < nonempty.length; a++) {
    for (let words = nonempty[a] as number; words !== 0; words &= words - 1) {
      const w = (a << 5) + 31 - Math.clz32(words & -words);
      for (let word = bits[w] as number; word !== 0 && seen < to; word &= word - 1, seen++)
        if (seen >= from) taken[seen - from] = (w << 5) + 31 - Math.clz32(word & -word);
      bits[w] = 0;
    }
    nonempty[a] = 0;
  }
  return taken;
}

/**
 * Sorts the ranks of the first `length` rows and fills `taken` from the `from`th on. For many rows in any place: it has no branch on a
 * value and passes every word once.
 */
export function sortRanks(
  { bits }: RowSorter,
  list: Int32Array,
  length: number,
  rank: Int32Array,
  from: number,
  taken: Int32Array,
): Int32Array {
  for (let i = 0; i < length; i++) setBit(bits, rank[list[i] as number] as number);
  membersBetween(bits, from, from + taken.length, taken);
  bits.fill(0);
  return taken;
}
