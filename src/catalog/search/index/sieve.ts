/** Sieves the first `length` members of a list in place; they keep their order. */

/** Moves the members of the set to the front; answers how many. No branch, as it would be guessed wrong half the time. */
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

/** Moves what a longer ascending list holds too to the front: looks ahead in doubling steps, then in halving ones. */
export function keepBoth(list: Int32Array, length: number, longer: Int32Array): number {
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
