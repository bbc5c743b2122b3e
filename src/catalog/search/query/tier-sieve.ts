import { andBits, andNotBits, bitWords, countBits, hasBit, setBit } from '../index/bitset.ts';
import type { Match } from './match.ts';
import type { Reader } from './reader.ts';
import type { Few, Many } from './row-set.ts';

/** Parts a segment's rows into tiers: sets without a row in common, the best first. Inside of one, rows are by downloads. */

export interface Tiers {
  tiers: { set: Int32Array; count: number }[];
  /** Of all rows that are found, also of those in tiers that were not worked out. */
  total_count: number;
}

/** Takes tier after tier out of `rest`, until they hold `enough` rows; what is left then is the last one. */
export function sieveOf(rest: Int32Array, ground: Ground, enough: number) {
  const total_count = countBits(rest);
  const tiers: Tiers['tiers'] = [];
  let found = 0;
  return {
    /** `narrow` leaves in the set what belongs to the tier. */
    take: (narrow: (set: Int32Array) => void): void => {
      // Also where it is not worked out it keeps its place, since tiers of two segments are merged one by one.
      if (found >= Math.min(enough, total_count)) return void tiers.push({ set: rest, count: 0 });
      const set = ground.next();
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

/** Sets to work in, of the reader's own and as long as its segment; valid until its next query. */
export interface Ground {
  next(): Int32Array;
}

const grounds = new WeakMap<Reader, Int32Array[]>();

export function groundOf(reader: Reader): Ground {
  const sets = grounds.get(reader) ?? [];
  grounds.set(reader, sets);
  let at = 0;
  return { next: () => (sets[at++] ??= new Int32Array(bitWords(reader.segment.count))) };
}

/** Copies what was matched, which may be the reader's scratch. */
export function copyMatch(into: Int32Array, { list, set, count }: Match): void {
  if (list === null) into.set(set);
  else {
    into.fill(0);
    for (let i = 0; i < count; i++) setBit(into, list[i] as number);
  }
}

type SomeRows = Pick<Few, 'list' | 'set'> | Pick<Many, 'list' | 'set'>;

/** Leaves in the set what is among the rows too. */
export function keepRows(set: Int32Array, rows: SomeRows): void {
  if (rows.list === null) return void andBits(set, set, rows.set);
  const kept: number[] = [];
  for (let i = 0; i < rows.list.length; i++) if (hasBit(set, rows.list[i] as number)) kept.push(rows.list[i] as number);
  set.fill(0);
  for (const row of kept) setBit(set, row);
}

export function addRows(set: Int32Array, { list, set: other }: SomeRows): void {
  if (list === null) for (let w = 0; w < set.length; w++) set[w] = (set[w] as number) | (other[w] as number);
  else for (let i = 0; i < list.length; i++) setBit(set, list[i] as number);
}
