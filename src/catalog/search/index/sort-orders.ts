import { sharedFloats, sharedInts } from './arrays.ts';

/** The sort orders of a segment: rows by downloads, and three permutations of the rows. */

/** Sort keys of the listings, in the order in which they were added. */
export interface SortKeys {
  /** Folded. */
  names: string[];
  provider_ids: string[];
  external_ids: string[];
  downloads: Float64Array;
  stars: Float64Array;
  updated: Float64Array;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export type NameKey = readonly [folded_name: string, provider_id: string, external_id: string];

/** The order of `name`, which also breaks ties in all other orders. */
export const compareNames = (a: NameKey, b: NameKey): number =>
  compareText(a[0], b[0]) || compareText(a[1], b[1]) || compareText(a[2], b[2]);

/** `rowOrder[row]` is the number of the listing, in the order of the keys. All other orders are of rows. */
export function sortOrders(keys: SortKeys) {
  const byName = orderByName(keys);
  const rankByName = inverse(byName);
  const rowOrder = orderByValue(keys.downloads, byName, rankByName);
  const rowOf = inverse(rowOrder);
  const inRows = (order: Int32Array): Int32Array => {
    const rows = sharedInts(order.length);
    for (let i = 0; i < order.length; i++) rows[i] = rowOf[order[i] as number] as number;
    return rows;
  };
  const starsOrder = inRows(orderByValue(keys.stars, byName, rankByName));
  const updatedOrder = inRows(orderByValue(keys.updated, byName, rankByName));
  const nameOrder = inRows(byName);
  return {
    rowOrder,
    downloads: floatsInRows(keys.downloads, rowOrder),
    stars: floatsInRows(keys.stars, rowOrder),
    updated: floatsInRows(keys.updated, rowOrder),
    starsOrder,
    starsRank: inverse(starsOrder),
    updatedOrder,
    updatedRank: inverse(updatedOrder),
    nameOrder,
    nameRank: inverse(nameOrder),
  };
}

function orderByName({ names, provider_ids, external_ids }: SortKeys): Int32Array {
  return Int32Array.from(names.keys()).sort(
    (a, b) =>
      compareText(names[a] as string, names[b] as string) ||
      compareText(provider_ids[a] as string, provider_ids[b] as string) ||
      compareText(external_ids[a] as string, external_ids[b] as string),
  );
}

/** Greatest first, ties by name. */
const orderByValue = (values: Float64Array, byName: Int32Array, rankByName: Int32Array): Int32Array =>
  byName
    .slice()
    .sort(
      (a, b) => (values[b] as number) - (values[a] as number) || (rankByName[a] as number) - (rankByName[b] as number),
    );

/** The inverse of a permutation. */
function inverse(order: Int32Array): Int32Array {
  const ranks = sharedInts(order.length);
  for (let rank = 0; rank < order.length; rank++) ranks[order[rank] as number] = rank;
  return ranks;
}

function floatsInRows(values: Float64Array, rowOrder: Int32Array): Float64Array {
  const rows = sharedFloats(values.length);
  for (let row = 0; row < rowOrder.length; row++) rows[row] = values[rowOrder[row] as number] as number;
  return rows;
}

/** Milliseconds; -Infinity, which sorts last, for a missing or invalid time. */
export function timeKey(time: string | null): number {
  const ms = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms;
}
