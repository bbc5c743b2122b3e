import { hasBit } from './bits.ts';
import { lowerBound } from './dictionary.ts';

/** Sieves the first `length` members of an ascending list in place. */

/** Moves the members that are in the set (`wanted`), or are not, to the front; answers how many. */
export function keepWhere(list: Int32Array, length: number, set: Int32Array, wanted: boolean): number {
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const row = list[i] as number;
    if (hasBit(set, row) === wanted) list[kept++] = row;
  }
  return kept;
}

/** The same for a longer ascending list: step by step where it is not much longer, else by halving. */
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
