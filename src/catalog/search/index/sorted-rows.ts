/** Ascending lists of rows: binary search, and filters that work in place and keep the order. */

/** Index of the first value that is not below `value`, in an ascending array. */
export function lowerBound(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The lowest number below `count` for which the test fails. It must hold for all numbers before that one, and for none after. */
export function firstFailing(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Moves those of the first `length` rows that are in the set to the front, and returns how many. Without a branch, which the processor
 * would mispredict half the time.
 */
export function keepMembers(list: Int32Array, length: number, set: Int32Array): number {
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const row = list[i] as number;
    list[kept] = row;
    kept += ((set[row >>> 5] as number) >>> (row & 31)) & 1;
  }
  return kept;
}

/** The same for the rows outside the set. */
export function dropMembers(list: Int32Array, length: number, set: Int32Array): number {
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const row = list[i] as number;
    list[kept] = row;
    kept += (~(set[row >>> 5] as number) >>> (row & 31)) & 1;
  }
  return kept;
}

/** Keeps the rows that a longer ascending list has too. A galloping search: steps double, then halve. */
export function keepCommon(list: Int32Array, length: number, longer: Int32Array): number {
  let kept = 0;
  let at = 0;
  for (let i = 0; i < length; i++) {
    const row = list[i] as number;
    let step = 1;
    while (at + step < longer.length && (longer[at + step] as number) <= row) {
      at += step;
      step *= 2;
    }
    for (; step >= 1; step >>>= 1) {
      if (at + step < longer.length && (longer[at + step] as number) <= row) at += step;
    }
    if (longer[at] === row) list[kept++] = row;
  }
  return kept;
}
