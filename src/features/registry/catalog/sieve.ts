import { lowerBound } from './dictionary.ts';

/** Sieves the first `length` members of an ascending list in place. */

/** Moves the members of the set to the front; answers how many. Without branches, which would be guessed wrong half the time. */
export function keepMembers(list: Int32Array, length: number, set: Int32Array): number {
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const row = list[i] as number;
    list[kept] = row;
    kept += ((set[row >>> 5] as number) >>> (row & 31)) & 1;
  }
  return kept;
}

/** Moves those outside the set to the front; answers how many. */
export function dropMembers(list: Int32Array, length: number, set: Int32Array): number {
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const row = list[i] as number;
    list[kept] = row;
    kept += (~(set[row >>> 5] as number) >>> (row & 31)) & 1;
  }
  return kept;
}

/** Moves the members of a longer ascending list to the front: step by step where it is not much longer, else by halving. */
export function keepBoth(list: Int32Array, length: number, longer: Int32Array): number {
  const isMuchLonger = longer.length > length * 16;
  let kept = 0;
  let at = 0;
  for (let i = 0; i < length; i++) {
    const row = list[i] as number;
    if (isMuchLonger) at = lowerBound(longer, row);
    else while (at < longer.length && (longer[at] as number) < row) at++;
    if (longer[at] === row) list[kept++] = row;
  }
  return kept;
}
