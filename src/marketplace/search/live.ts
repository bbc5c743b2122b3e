import { fold } from '#catalog/changes/fold.ts';
import { changedCapabilities } from '#catalog/identity/capabilities.ts';
import { bitWords, setBit } from '#catalog/index/bits.ts';
import { sharedInts } from '#catalog/index/growing.ts';
import { placesIn } from '#catalog/index/places.ts';
import type { Segment } from '#catalog/index/segment.ts';
import { atOneMoment, type Connection } from '#core/db/connection.ts';
import { type CapabilityBuilder, type Common, capabilityBuilder } from './build.ts';
import { type CarriedSkill, carriedMember } from './carried-skills.ts';
import type { CapabilityDocument } from './document.ts';
import { type Change, readDocuments, readNewest, readPublished } from './read-documents.ts';
import type { CapabilitySegment } from './segment.ts';
import type { IndexState } from './view.ts';
import { wireAt } from './wire-at.ts';

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

/** `carried` stand beside what the database holds. `early` is given the first documents where there are many more. */
export const loadIndex = (
  connection: Connection,
  carried: readonly CarriedSkill[],
  early: (following: FollowingIndex) => void = () => {},
): Promise<FollowingIndex> =>
  atOneMoment(connection, async () => {
    const newest = await readNewest(connection);
    const builder = capabilityBuilder();
    let first: CapabilityBuilder | null = capabilityBuilder();
    const seen = new Set<string>();
    const add = ({ id, document }: Change): void => {
      if (document === null || seen.has(id)) return;
      seen.add(id);
      builder.add(document);
      first?.add(document);
    };
    for (const change of await readCarried(connection, carried)) add(change);
    // What nobody has joined to anything yet; the rest of what is published comes with what it is joined to.
    for (const change of await readPublished(connection, 0)) add(change);
    for await (const page of changedCapabilities(connection, 0)) {
      if (first !== null && seen.size >= EARLY) {
        early({ ...loaded(first), seq: 0, published: 0, is_whole: false });
        first = null;
      }
      for (const change of await readDocuments(connection, page)) add(change);
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
  carried: readonly CarriedSkill[],
): Promise<FollowingIndex | null> {
  const { seq, published } = await readNewest(connection);
  if (seq === before.seq && published === before.published) return null;
  if (seq < before.seq || published < before.published) return loadIndex(connection, carried);
  const { changes, ...newest } = await atOneMoment(connection, async () => {
    const moment = await readNewest(connection);
    // Few, and of no row that a change could be numbered by.
    const found = (await readCarried(connection, carried)).filter((it) => isChanged(before, it));
    found.push(...(await readPublished(connection, before.published)));
    for await (const page of changedCapabilities(connection, before.seq)) {
      found.push(...(await readDocuments(connection, page)));
      if (found.length > before.base.count + LEAST_WORK) break;
    }
    return { ...moment, changes: found };
  });
  const work = before.work + before.changed.size + changes.length;
  // Once deltas have cost as much as a base, the base is built anew: the whole costs at most twice the best possible.
  if (work > Math.max(LEAST_WORK, before.base.count)) return loadIndex(connection, carried);
  return { ...withChanges(before, changes), ...newest, work };
}

const readCarried = (connection: Connection, carried: readonly CarriedSkill[]): Promise<Change[]> =>
  readDocuments(
    connection,
    carried.map(carriedMember).map((it) => ({ id: it.id, members: [it] })),
  );

function isChanged({ changed, rows, base }: FollowingIndex, { id, document }: Change): boolean {
  const row = rows.get(id);
  const known = changed.get(id)?.wire ?? (row === undefined ? undefined : wireAt(base.list, row));
  return JSON.stringify(known) !== JSON.stringify(document?.wire);
}

export function withChanges(before: FollowingIndex, changes: readonly Change[]): FollowingIndex {
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
): IndexState {
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
