import type { Change } from '#catalog/changes/changes-since.ts';
import type { Item } from '#catalog/items/item.ts';
import { sharedInts } from '../index/arrays.ts';
import { bitWords, hasBit, setBit } from '../index/bitset.ts';
import { positionsIn, type RegistryState } from '../index/delta.ts';
import { findRow, keyOf } from '../index/key-table.ts';
import { readHint, readItem, type Segment } from '../index/segment.ts';
import { segmentBuilder } from '../index/segment-builder.ts';

/** What a build thread keeps of an index: a base that is rarely rebuilt, and everything that changed since. */
export interface LiveIndex<S, Entry> {
  base: S;
  /** By key. Null: removed. */
  changed: ReadonlyMap<string, Entry | null>;
  /** Rows of the base that were changed or removed. */
  deleted: Int32Array | null;
  /** Rows built into deltas since the base was built. */
  work: number;
}

/** A base is not rebuilt for less work than this. */
export const LEAST_WORK = 4_096;

/** Adds changes. `rowOf` finds a key's row in the base; undefined or -1 if it has none. */
export function addChanges<Entry>(
  { changed: before, deleted: deletedBefore, base }: LiveIndex<{ count: number }, Entry>,
  changes: Iterable<readonly [key: string, entry: Entry | null]>,
  rowOf: (key: string) => number | undefined,
): Pick<LiveIndex<unknown, Entry>, 'changed' | 'deleted'> {
  const changed = new Map(before);
  const deleted = sharedInts(bitWords(base.count));
  if (deletedBefore !== null) deleted.set(deletedBefore);
  for (const [key, entry] of changes) {
    const row = changed.has(key) ? undefined : rowOf(key);
    if (row !== undefined && row >= 0) setBit(deleted, row);
    changed.set(key, entry);
  }
  return { changed, deleted };
}

interface ListingEntry {
  item: Item;
  hint: string;
}

export type LiveRegistry = LiveIndex<Segment, ListingEntry>;

export const liveRegistry = (base: Segment): LiveRegistry => ({ base, changed: new Map(), deleted: null, work: 0 });

/**
 * Adds a batch of changes. Once the deltas have cost as much as a base, it builds a new base: whatever the size of the batches, the total
 * cost is at most twice the minimum.
 */
export function applyChanges(
  index: LiveRegistry,
  changes: readonly Change[],
): { index: LiveRegistry; rebuilt: boolean } {
  const entries = changes.map(
    ({ provider_id, external_id, item, hint = '' }) =>
      [keyOf(provider_id, external_id), item === null ? null : { item, hint }] as const,
  );
  const { changed, deleted } = addChanges(index, entries, (key) => findRow(index.base, key));
  const next = { base: index.base, changed, deleted, work: index.work + changed.size };
  if (next.work < Math.max(LEAST_WORK, index.base.count)) return { index: next, rebuilt: false };
  return { index: liveRegistry(segmentOf(liveEntries(next))), rebuilt: true };
}

function segmentOf(entries: Iterable<ListingEntry>): Segment {
  const builder = segmentBuilder();
  for (const { item, hint } of entries) builder.add(item, hint);
  return builder.finish();
}

function* liveEntries({ base, deleted, changed }: LiveRegistry): Generator<ListingEntry> {
  for (let row = 0; row < base.count; row++)
    if (deleted === null || !hasBit(deleted, row)) yield { item: readItem(base, row), hint: readHint(base, row) };
  yield* changedEntries(changed);
}

function* changedEntries(changed: LiveRegistry['changed']): Generator<ListingEntry> {
  for (const entry of changed.values()) if (entry !== null) yield entry;
}

export function registryStateOf({ base, deleted, changed }: LiveRegistry, version: string): RegistryState {
  if (changed.size === 0) return { base, deleted: null, delta: null, version };
  const segment = segmentOf(changedEntries(changed));
  const delta = segment.count === 0 ? null : { segment, positions: positionsIn(base, segment) };
  return { base, deleted, delta, version };
}
