import type { Crowd } from './evidence.ts';
import { isHot, keysOf } from './keys.ts';
import type { Traits } from './traits.ts';

/** Who shares which key, of all listings at once, in memory. A listing is its number: the order it was added in. */

export interface KeyIndex {
  add(it: Traits): void;
  keysOf(listing: number): string[];
  /** Each once: those added after it with which it shares a key that is not hot. */
  laterSharing(listing: number): Set<number>;
  crowd: Crowd;
}

/** Instead of who has it: too many do. */
const HOT = null;

export function keyIndex(): KeyIndex {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  const holders: (number[] | typeof HOT)[] = [];
  const keys: number[][] = [];
  const shelves: string[] = [];
  const numberOf = (key: string): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    holders.push([]);
    numbers.set(key, names.length);
    return names.push(key) - 1;
  };
  const hold = (key: number, listing: number): void => {
    const of = holders[key] ?? HOT;
    if (of === HOT) return;
    of.push(listing);
    if (isHot(names[key] as string, of.length)) holders[key] = HOT;
  };
  return {
    add: (it) => {
      const listing = shelves.push(it.shelf) - 1;
      const own = keysOf(it).map(numberOf);
      keys.push(own);
      for (const key of own) hold(key, listing);
    },
    keysOf: (listing) => (keys[listing] ?? []).map((key) => names[key] as string),
    laterSharing: (listing) =>
      new Set((keys[listing] ?? []).flatMap((key) => (holders[key] ?? []).filter((it) => it > listing))),
    crowd: (key, shelf) => {
      const number = numbers.get(key);
      if (number === undefined) return 0;
      const of = holders[number] ?? HOT;
      return of === HOT ? Number.POSITIVE_INFINITY : of.filter((it) => shelves[it] === shelf).length;
    },
  };
}
