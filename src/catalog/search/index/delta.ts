import { fold } from '#catalog/changes/fold.ts';
import { shareInts } from './arrays.ts';
import type { CapabilitySegment } from './capability-segment.ts';
import { rankByRow, readItem, rowByRank, type Segment, type Sort } from './segment.ts';
import { compareNames, type NameKey } from './sort-orders.ts';
import { firstFailing } from './sorted-rows.ts';
import type { Vectors } from './vectors.ts';

/** An index at one moment of the database, in shared memory. A build thread posts it. */
interface IndexState<S> {
  base: S;
  /** Rows of the base that were changed or removed since it was built. */
  deleted: Int32Array | null;
  /** What changed since. */
  delta: { segment: S; positions: Positions } | null;
  version: string;
}

export type RegistryState = IndexState<Segment>;

export interface MarketplaceState extends IndexState<CapabilitySegment> {
  /** False while the first index is being built and covers only part of the capabilities. */
  is_whole: boolean;
  /** If an operator's model made any. */
  vectors?: Vectors;
}

/**
 * For each sort order and each rank of the delta, how many base listings come before it. Ascending, so that merging the two segments
 * compares integers only.
 */
export type Positions = Record<Sort, Int32Array>;

/** `keyOf` gives the key by which the segments' builder sorted names. */
export function positionsIn(base: Segment, delta: Segment, keyOf: ReadNameKey = itemNameKey): Positions {
  const byName = Int32Array.from({ length: delta.count }, (_, row) => positionByName(base, keyOf(delta, row), keyOf));
  const byValue = (sort: 'downloads' | 'stars' | 'updated'): Int32Array =>
    positions(delta.count, (rank) => {
      const row = sort === 'downloads' ? rank : (rowByRank(delta, sort)[rank] as number);
      return positionByValue(base, sort, delta[sort][row] as number, byName[row] as number);
    });
  return {
    downloads: byValue('downloads'),
    stars: byValue('stars'),
    updated: byValue('updated'),
    name: positions(delta.count, (rank) => byName[delta.nameOrder[rank] as number] as number),
  };
}

const positions = (length: number, positionOf: (rank: number) => number): Int32Array =>
  shareInts(Array.from({ length }, (_, rank) => positionOf(rank)));

type ReadNameKey = (segment: Segment, row: number) => NameKey;

function itemNameKey(segment: Segment, row: number): NameKey {
  const item = readItem(segment, row);
  return [fold(item.name), item.provider_id, item.external_id];
}

const positionByName = (base: Segment, key: NameKey, keyOf: ReadNameKey): number =>
  firstFailing(base.count, (rank) => compareNames(keyOf(base, base.nameOrder[rank] as number), key) < 0);

/** Ties are broken by the position among the names. */
const positionByValue = (
  base: Segment,
  sort: 'downloads' | 'stars' | 'updated',
  value: number,
  nameRank: number,
): number =>
  firstFailing(base.count, (rank) => {
    const row = sort === 'downloads' ? rank : (rowByRank(base, sort)[rank] as number);
    const other = base[sort][row] as number;
    return other > value || (other === value && (rankByRow(base, 'name')[row] as number) < nameRank);
  });
