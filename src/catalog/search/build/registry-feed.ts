import { type Change, changesSince, readSequence } from '#catalog/changes/changes-since.ts';
import { atOneMoment, type Connection } from '#core/db/connection.ts';
import { segmentBuilder } from '../index/segment-builder.ts';
import { readSnapshot, writeSnapshot } from '../index/snapshot.ts';
import { applyChanges, type LiveRegistry, liveRegistry } from './live-index.ts';

/** Keeps the registry's index equal to the database: loads it once, then follows the changes. */

export interface FollowedRegistry {
  index: LiveRegistry;
  /** The newest change in it. */
  seq: number;
}

/** Identifies the database, and says where the snapshot is kept. Null: nowhere. */
export interface SnapshotPlace {
  identity: string;
  data_dir: string | null;
}

/** From the snapshot if there is one, else from the whole table. */
export async function loadRegistry(connection: Connection, place: SnapshotPlace): Promise<FollowedRegistry> {
  const snapshot = place.data_dir === null ? null : readSnapshot(place.data_dir, place.identity);
  if (snapshot === null) return loadTable(connection, place);
  const saved = { index: liveRegistry(snapshot.base), seq: snapshot.seq };
  return (await followRegistry(connection, saved, place)) ?? saved;
}

/** Null if nothing changed. Loads the whole table if changes since then have been purged. */
export async function followRegistry(
  connection: Connection,
  before: FollowedRegistry,
  place: SnapshotPlace,
): Promise<FollowedRegistry | null> {
  const { current, purged } = await readSequence(connection);
  if (current === before.seq) return null;
  if (current < before.seq || purged > before.seq) return loadTable(connection, place);
  const changes: Change[] = [];
  const seq = await readChanges(connection, before.seq, (page) => void changes.push(...page));
  const { index, rebuilt } = applyChanges(before.index, changes);
  if (rebuilt) save({ index, seq }, place);
  return { index, seq };
}

async function loadTable(connection: Connection, place: SnapshotPlace): Promise<FollowedRegistry> {
  const builder = segmentBuilder();
  const seq = await readChanges(connection, 0, (page) => {
    for (const { item, hint } of page) if (item !== null) builder.add(item, hint);
  });
  const loaded = { index: liveRegistry(builder.finish()), seq };
  save(loaded, place);
  return loaded;
}

/** The index must have no changes beside its base. */
function save({ index, seq }: FollowedRegistry, { identity, data_dir }: SnapshotPlace): void {
  if (data_dir !== null) writeSnapshot(data_dir, { identity, seq, base: index.base });
}

/** Reads all changes after `since` at one moment, and returns the number of the newest. */
const readChanges = (connection: Connection, since: number, onPage: (changes: Change[]) => void): Promise<number> =>
  atOneMoment(connection, async () => {
    const { current } = await readSequence(connection);
    for await (const page of changesSince(connection, since)) onPage(page);
    return current;
  });
