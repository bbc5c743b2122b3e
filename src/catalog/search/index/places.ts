import { fold } from '#catalog/changes/fold.ts';
import { readItem } from './key-table.ts';
import { rankByRow, rowByRank, type Segment, type Sort } from './segment.ts';
import { compareNames } from './sort-orders.ts';

/**
 * For each sort order and each rank of the delta: how many base listings come before it. Ascending, so that a merge of
 * the two compares integers only.
 */
export type Places = Record<Sort, Int32Array>;

/** `keyOf` says by what a row is ordered among names, as the segments' builder was told. */
export function placesIn(base: Segment, delta: Segment, keyOf: NameKey = nameKey): Places {
  const names = Int32Array.from({ length: delta.count }, (_, row) => placeByName(base, keyOf(delta, row), keyOf));
  const byValue = (values: 'downloads' | 'stars' | 'updated'): Int32Array =>
    shared(delta.count, (rank) => {
      const row = values === 'downloads' ? rank : (rowByRank(delta, values)[rank] as number);
      return placeByValue(base, values, delta[values][row] as number, names[row] as number);
    });
  return {
    downloads: byValue('downloads'),
    stars: byValue('stars'),
    updated: byValue('updated'),
    name: shared(delta.count, (rank) => names[delta.nameOrder[rank] as number] as number),
  };
}

function shared(length: number, valueAt: (i: number) => number): Int32Array {
  const array = new Int32Array(new SharedArrayBuffer(length * 4));
  for (let i = 0; i < length; i++) array[i] = valueAt(i);
  return array;
}

function firstNotBefore(count: number, isBefore: (rank: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export type NameKey = (segment: Segment, row: number) => [name: string, provider_id: string, external_id: string];

const placeByName = (base: Segment, wanted: ReturnType<NameKey>, keyOf: NameKey): number =>
  firstNotBefore(base.count, (rank) => compareNames(keyOf(base, base.nameOrder[rank] as number), wanted) < 0);

function nameKey(segment: Segment, row: number): [string, string, string] {
  const item = readItem(segment, row);
  return [fold(item.name), item.provider_id, item.external_id];
}

/** Ties are broken by the name's place among the base's names. */
function placeByValue(
  base: Segment,
  sort: 'downloads' | 'stars' | 'updated',
  value: number,
  namePlace: number,
): number {
  return firstNotBefore(base.count, (rank) => {
    const row = sort === 'downloads' ? rank : (rowByRank(base, sort)[rank] as number);
    const there = base[sort][row] as number;
    return there > value || (there === value && (rankByRow(base, 'name')[row] as number) < namePlace);
  });
}
