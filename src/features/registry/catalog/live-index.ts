import type { Change } from '../changes-since.ts';
import type { Item } from '../item.ts';
import { bitWords, hasBit, setBit } from './bits.ts';
import { buildSegment } from './build-segment.ts';
import { sharedInts } from './growing.ts';
import { findRow, keyOf, readItem } from './keys.ts';
import { placesIn } from './places.ts';
import type { Segment } from './segment.ts';
import type { CatalogState } from './view.ts';

/** The building thread's side: a base that is seldom built, and what changed since. */
export interface LiveIndex {
  base: Segment;
  /** By key, everything that changed since the base was built. */
  changed: Map<string, Item | null>;
  /** Rows of the base that were changed or removed since. */
  dead: Int32Array | null;
  /** Rows built into deltas since the base was built. */
  deltaWork: number;
}

export const liveIndex = (base: Segment): LiveIndex => ({ base, changed: new Map(), dead: null, deltaWork: 0 });

/** Never rebuild the base for less than this. */
const LEAST_DELTA_WORK = 4096;

/**
 * The index after a batch, and the state that readers get. Once the deltas have cost as much as a base, the base is
 * built anew: whatever the size of the batches, the whole costs at most twice the best that was possible.
 */
export function applyChanges(index: LiveIndex, changes: readonly Change[]): { index: LiveIndex; rebuilt: boolean } {
  const changed = new Map(index.changed);
  const dead = sharedInts(bitWords(index.base.count));
  if (index.dead !== null) dead.set(index.dead);
  for (const { provider_id, external_id, item } of changes) {
    const key = keyOf(provider_id, external_id);
    const row = changed.has(key) ? -1 : findRow(index.base, key);
    if (row >= 0) setBit(dead, row);
    changed.set(key, item);
  }
  const deltaWork = index.deltaWork + changed.size;
  const next = { base: index.base, changed, dead, deltaWork };
  if (deltaWork < Math.max(LEAST_DELTA_WORK, index.base.count)) return { index: next, rebuilt: false };
  return { index: liveIndex(buildSegment(liveItems(next))), rebuilt: true };
}

export function* liveItems({ base, dead, changed }: LiveIndex): Generator<Item> {
  for (let row = 0; row < base.count; row++) if (dead === null || !hasBit(dead, row)) yield readItem(base, row);
  yield* changedItems(changed);
}

function* changedItems(changed: Map<string, Item | null>): Generator<Item> {
  for (const item of changed.values()) if (item !== null) yield item;
}

export function stateOf({ base, dead, changed }: LiveIndex, version: string): CatalogState {
  if (changed.size === 0) return { base, dead: null, delta: null, version };
  const segment = buildSegment(changedItems(changed));
  const delta = segment.count === 0 ? null : { segment, places: placesIn(base, segment) };
  return { base, dead, delta, version };
}
