/** Sets of rows as bits, 32 to a word. Int32Array, because bit operations work on signed words. */

export const bitWords = (count: number): number => (count + 31) >>> 5;

export function setBit(bits: Int32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31));
}

export const bitOf = (bits: Int32Array, at: number): number => ((bits[at >>> 5] as number) >>> (at & 31)) & 1;

export const hasBit = (bits: Int32Array, at: number): boolean => bitOf(bits, at) === 1;

/** A new set of the listed rows, out of `count` rows. */
export function bitsOf(rows: ArrayLike<number>, count: number): Int32Array {
  const bits = new Int32Array(bitWords(count));
  for (let i = 0; i < rows.length; i++) setBit(bits, rows[i] as number);
  return bits;
}

export function popcount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function countBits(bits: Int32Array): number {
  let count = 0;
  for (let w = 0; w < bits.length; w++) count += popcount(bits[w] as number);
  return count;
}

/** Sets the first `count` bits. */
export function fillBits(bits: Int32Array, count: number): void {
  bits.fill(-1);
  if ((count & 31) !== 0) bits[bits.length - 1] = (1 << (count & 31)) - 1;
}

/** Writes the intersection of `a` and `b` to `into`, which may be one of them, and returns its size. */
export function andBits(into: Int32Array, a: Int32Array, b: Int32Array): number {
  let count = 0;
  for (let w = 0; w < into.length; w++) {
    const word = (a[w] as number) & (b[w] as number);
    into[w] = word;
    count += popcount(word);
  }
  return count;
}

/** Writes `a` without `b` to `into`, which may be one of them, and returns its size. */
export function andNotBits(into: Int32Array, a: Int32Array, b: Int32Array): number {
  let count = 0;
  for (let w = 0; w < into.length; w++) {
    const word = (a[w] as number) & ~(b[w] as number);
    into[w] = word;
    count += popcount(word);
  }
  return count;
}

/** The members from the `from`th to before the `to`th, ascending. `members` must have room for them. */
export function membersBetween(bits: Int32Array, from: number, to: number, members: Int32Array): Int32Array {
  let seen = 0;
  let filled = 0;
  for (let w = 0; w < bits.length && seen < to; w++) {
    let word = bits[w] as number;
    if (word === 0) continue;
    if (seen < from) {
      const inWord = popcount(word);
      if (seen + inWord <= from) {
        seen += inWord;
        continue;
      }
    }
    for (; word !== 0 && seen < to; word &= word - 1, seen++) {
      if (seen >= from) members[filled++] = (w << 5) + 31 - Math.clz32(word & -word);
    }
  }
  return filled === members.length ? members : members.subarray(0, filled);
}
