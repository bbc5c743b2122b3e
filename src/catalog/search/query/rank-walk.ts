import { bitOf } from '../index/bitset.ts';

/** Goes through rows in a sort order other than their own and finds the ranks of those that are in a set. */

/**
 * Where walks through one set in one order have stood: the rank before which `i * STRIDE` members are. A later page is
 * reached from the last stop before it, and a walk that goes further adds stops.
 */
export type Stops = number[];

export const noStops = (): Stops => [0];

const STRIDE = 64;

/** At most so many bytes are kept as stops of a set with `count` members, in the three orders together. */
export const mostStopBytes = (count: number): number => Math.ceil(count / STRIDE) * 8 * 3;

/** Fills `page` with the ranks of the `from`th member and those after it; there must be as many. */
export function walkRanks(
  set: Int32Array,
  order: Int32Array,
  stops: Stops,
  from: number,
  page: Int32Array,
): Int32Array {
  const stop = Math.min(stops.length - 1, Math.floor(from / STRIDE));
  let seen = stop * STRIDE;
  let rank = stops[stop] as number;
  for (; seen + STRIDE <= from; seen += STRIDE) {
    rank = passMembers(set, order, rank, STRIDE);
    stops.push(rank);
  }
  rank = passMembers(set, order, rank, from - seen);
  for (let filled = 0; filled < page.length; rank++) {
    page[filled] = rank;
    filled += bitOf(set, order[rank] as number);
  }
  return page;
}

/** No branch by row, neither here nor above, as it would often be guessed wrong. */
function passMembers(set: Int32Array, order: Int32Array, rank: number, members: number): number {
  let at = rank;
  for (let passed = 0; passed < members; at++) passed += bitOf(set, order[at] as number);
  return at;
}
