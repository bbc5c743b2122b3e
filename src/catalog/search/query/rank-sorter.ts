import { bitWords, membersBetween, setBit } from '../index/bitset.ts';

/**
 * Sorts a few small integers of a large range and drops doubles: each is a bit, and each word of bits that is not empty
 * is a bit above them, so that going through them skips what is empty. Always empty between two uses.
 */
export interface Sorter {
  bits: Int32Array;
  above: Int32Array;
}

export const newSorter = (range: number): Sorter => ({
  bits: new Int32Array(bitWords(range)),
  above: new Int32Array(bitWords(bitWords(range))),
});

/** Adds `list[from]` to before `list[to]`, and answers how many were not there before. */
export function addBetween(sorter: Sorter, list: Int32Array, from: number, to: number): number {
  let added = 0;
  for (let i = from; i < to; i++) if (addOne(sorter, list[i] as number)) added++;
  return added;
}

/** The same for the ranks of the first `length` of the list, as far as they are below the limit. */
export function addBelow(sorter: Sorter, list: Int32Array, length: number, rank: Int32Array, limit: number): number {
  let added = 0;
  for (let i = 0; i < length; i++) {
    const value = rank[list[i] as number] as number;
    if (value < limit && addOne(sorter, value)) added++;
  }
  return added;
}

function addOne({ bits, above }: Sorter, value: number): boolean {
  const w = value >>> 5;
  const before = bits[w] as number;
  const after = before | (1 << (value & 31));
  if (before === after) return false;
  if (before === 0) above[w >>> 5] = (above[w >>> 5] as number) | (1 << (w & 31));
  bits[w] = after;
  return true;
}

/** Takes everything out and keeps in `taken`, ascending, the `from`th to before the `to`th; there must be as many. */
export function takeBetween({ bits, above }: Sorter, from: number, to: number, taken: Int32Array): Int32Array {
  let seen = 0;
  for (let a = 0; a < above.length; a++) {
    for (let words = above[a] as number; words !== 0; words &= words - 1) {
      const w = (a << 5) + 31 - Math.clz32(words & -words);
      for (let word = bits[w] as number; word !== 0 && seen < to; word &= word - 1, seen++)
        if (seen >= from) taken[seen - from] = (w << 5) + 31 - Math.clz32(word & -word);
      bits[w] = 0;
    }
    above[a] = 0;
  }
  return taken;
}

/**
 * Ranks the first `length` of the list and fills `taken` with the `from`th and those after it, ascending. For many that may lie
 * anywhere: no branch by value, and every word is passed once.
 */
export function rankMany(
  { bits }: Sorter,
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
