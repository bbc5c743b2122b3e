import type { Change } from '#catalog/changes/changes-since.ts';
import type { Item } from '#catalog/items/item.ts';
import { bitWords, hasBit, setBit } from '../index/bitset.ts';
import { findRow, keyOf, readHint, readItem } from '../index/key-table.ts';
import { placesIn } from '../index/places.ts';
import type { Segment } from '../index/segment.ts';
import { segmentBuilder } from '../index/segment-builder.ts';
import { sharedInts } from '../index/shared-arrays.ts';
import type { CatalogState } from '../index/state.ts';

interface Entry {
  item: Item;
  hint: string;
}

/** The building thread's side: a base that is seldom built, and what changed since. */
export interface LiveIndex {
  base: Segment;
  /** By key, everything that changed since the base was built. */
  changed: Map<string, Entry | null>;
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
  for (const { provider_id, external_id, item, hint = '' } of changes) {
    const key = keyOf(provider_id, external_id);
    const row = changed.has(key) ? -1 : findRow(index.base, key);
    if (row >= 0) setBit(dead, row);
    changed.set(key, item === null ? null : { item, hint });
  }
  const deltaWork = index.deltaWork + changed.size;
  const next = { base: index.base, changed, dead, deltaWork };
  if (deltaWork < Math.max(LEAST_DELTA_WORK, index.base.count)) return { index: next, rebuilt: false };
  return { index: liveIndex(segmentOf(liveEntries(next))), rebuilt: true };
}

function segmentOf(entries: Iterable<Entry>): Segment {
  const builder = segmentBuilder();
  for (const { item, hint } of entries) builder.add(item, hint);
  return builder.finish();
}

function* liveEntries({ base, dead, changed }: LiveIndex): Generator<Entry> {
  for (let row = 0; row < base.count; row++)
    if (dead === null || !hasBit(dead, row)) yield { item: readItem(base, row), hint: readHint(base, row) };
  yield* changedEntries(changed);
}

function* changedEntries(changed: LiveIndex['changed']): Generator<Entry> {
  for (const entry of changed.values()) if (entry !== null) yield entry;
}

export function stateOf({ base, dead, changed }: LiveIndex, version: string): CatalogState {
  if (changed.size === 0) return { base, dead: null, delta: null, version };
  const segment = segmentOf(changedEntries(changed));
  const delta = segment.count === 0 ? null : { segment, places: placesIn(base, segment) };
  return { base, dead, delta, version };
}
