import { fold } from '#catalog/changes/fold.ts';
import { changedCapabilities } from '#catalog/identity/capabilities.ts';
import { atOneMoment, type Connection } from '#core/db/connection.ts';
import { bitWords, setBit } from '../index/bitset.ts';
import { type CapabilityBuilder, type Common, capabilityBuilder } from '../index/capability-builder.ts';
import type { CapabilitySegment } from '../index/capability-segment.ts';
import { wireAt } from '../index/capability-segment.ts';
import type { CapabilityDocument } from '../index/document.ts';
import { placesIn } from '../index/places.ts';
import type { Segment } from '../index/segment.ts';
import { sharedInts } from '../index/shared-arrays.ts';
import type { CapabilityState } from '../index/state.ts';
import type { DocumentChange, DocumentSource } from './document-source.ts';

/** Keeps an index equal to the database: loads it once, then follows what changes. The building thread's side. */

export interface FollowingIndex {
  /** The newest changes of capabilities and of what is published that it holds. */
  seq: number;
  published: number;
  base: CapabilitySegment;
  /** What documents of the base share: how numbers are spread, and which texts come again. */
  common: Common;
  /** Rows of the base by id. */
  rows: ReadonlyMap<string, number>;
  /** By id, what changed since the base was built. */
  changed: ReadonlyMap<string, CapabilityDocument | null>;
  dead: Int32Array | null;
  /** Rows built into deltas since then. */
  work: number;
  /** False of what is given while the first index is being built. */
  is_whole: boolean;
}

/** Never build the base anew for less than this. */
const LEAST_WORK = 4_096;

/** So many are given before the rest has been read. */
const EARLY = 2_000;

/** `early` receives the first documents if there are many more. */
export const loadIndex = (
  connection: Connection,
  source: DocumentSource,
  early: (following: FollowingIndex) => void = () => {},
): Promise<FollowingIndex> =>
  atOneMoment(connection, async () => {
    const newest = await source.newest(connection);
    const builder = capabilityBuilder();
    let first: CapabilityBuilder | null = capabilityBuilder();
    const seen = new Set<string>();
    const add = ({ id, document }: DocumentChange): void => {
      if (document === null || seen.has(id)) return;
      seen.add(id);
      builder.add(document);
      first?.add(document);
    };
    for (const change of await source.builtIn(connection)) add(change);
    // What nobody has joined to anything yet; the rest of what is published comes with what it is joined to.
    for (const change of await source.published(connection, 0)) add(change);
    for await (const page of changedCapabilities(connection, 0)) {
      if (first !== null && seen.size >= EARLY) {
        early({ ...loaded(first), seq: 0, published: 0, is_whole: false });
        first = null;
      }
      for (const change of await source.documents(connection, page)) add(change);
    }
    return { ...loaded(builder), ...newest, is_whole: true };
  });

function loaded(builder: CapabilityBuilder): Omit<FollowingIndex, 'seq' | 'published' | 'is_whole'> {
  const { segment: base, common, ids } = builder.finish();
  return { base, common, rows: new Map(ids.map((id, row) => [id, row])), changed: new Map(), dead: null, work: 0 };
}

/** Null where nothing changed. */
export async function followIndex(
  connection: Connection,
  before: FollowingIndex,
  source: DocumentSource,
): Promise<FollowingIndex | null> {
  const { seq, published } = await source.newest(connection);
  if (seq === before.seq && published === before.published) return null;
  if (seq < before.seq || published < before.published) return loadIndex(connection, source);
  const { changes, ...newest } = await atOneMoment(connection, async () => {
    const moment = await source.newest(connection);
    // Few, and of no row that a change could be numbered by.
    const found = (await source.builtIn(connection)).filter((change) => isChanged(before, change));
    found.push(...(await source.published(connection, before.published)));
    for await (const page of changedCapabilities(connection, before.seq)) {
      found.push(...(await source.documents(connection, page)));
      if (found.length > before.base.count + LEAST_WORK) break;
    }
    return { ...moment, changes: found };
  });
  const work = before.work + before.changed.size + changes.length;
  // Once deltas have cost as much as a base, the base is built anew: the whole costs at most twice the best possible.
  if (work > Math.max(LEAST_WORK, before.base.count)) return loadIndex(connection, source);
  return { ...withChanges(before, changes), ...newest, work };
}

function isChanged({ changed, rows, base }: FollowingIndex, { id, document }: DocumentChange): boolean {
  const row = rows.get(id);
  const known = changed.get(id)?.wire ?? (row === undefined ? undefined : wireAt(base.list, row));
  return JSON.stringify(known) !== JSON.stringify(document?.wire);
}

export function withChanges(before: FollowingIndex, changes: readonly DocumentChange[]): FollowingIndex {
  const changed = new Map(before.changed);
  const dead = sharedInts(bitWords(before.base.count));
  if (before.dead !== null) dead.set(before.dead);
  for (const { id, document } of changes) {
    const row = before.rows.get(id);
    if (row !== undefined) setBit(dead, row);
    changed.set(id, document);
  }
  return { ...before, changed, dead };
}

export function indexStateOf(
  { base, common, changed, dead, seq, published, is_whole }: FollowingIndex,
  identity: string,
): CapabilityState {
  const version = `${identity}-m${seq}-${published}${is_whole ? '' : '-early'}`;
  if (changed.size === 0) return { base, dead: null, delta: null, version, is_whole };
  const builder = capabilityBuilder();
  for (const document of changed.values()) if (document !== null) builder.add(document);
  const { segment } = builder.finish(common);
  const delta = segment.count === 0 ? null : { segment, places: placesIn(base.list, segment.list, nameKeyAt) };
  return { base, dead, delta, version, is_whole };
}

/** As the builder orders names: by what `build.ts` gives the list. */
function nameKeyAt(list: Segment, row: number): [string, string, string] {
  const { name, id } = wireAt(list, row);
  return [fold(name), '', id];
}
