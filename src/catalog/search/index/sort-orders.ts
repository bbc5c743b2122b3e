import { sharedInts } from './shared-arrays.ts';

/** What the sort orders need of each listing, in the order in which the listings came. */
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

/** By folded name, then provider, then external id: the order of `name`, and what breaks every tie elsewhere. */
export const compareNames = (
  a: readonly [name: string, provider_id: string, external_id: string],
  b: readonly [name: string, provider_id: string, external_id: string],
): number => compareText(a[0], b[0]) || compareText(a[1], b[1]) || compareText(a[2], b[2]);

export function orderByName(keys: SortKeys): Int32Array {
  const { names, provider_ids: providers, external_ids: ids } = keys;
  return Int32Array.from(names.keys()).sort(
    (a, b) =>
      compareText(names[a] as string, names[b] as string) ||
      compareText(providers[a] as string, providers[b] as string) ||
      compareText(ids[a] as string, ids[b] as string),
  );
}

/** Greatest first, ties by name; `nameRank` by the same numbers as `values`. */
export const orderByValue = (values: Float64Array, nameOrder: Int32Array, nameRank: Int32Array): Int32Array =>
  nameOrder
    .slice()
    .sort((a, b) => (values[b] as number) - (values[a] as number) || (nameRank[a] as number) - (nameRank[b] as number));

/** The inverse of a permutation. */
export function ranksOf(order: Int32Array): Int32Array {
  const ranks = sharedInts(order.length);
  for (let rank = 0; rank < order.length; rank++) ranks[order[rank] as number] = rank;
  return ranks;
}

/** Milliseconds, -Infinity (last of all) where there is no time or none that can be read. */
export function timeKey(time: string | null): number {
  const ms = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms;
}
