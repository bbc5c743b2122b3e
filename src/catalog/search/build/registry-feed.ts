import { type Change, changesSince, readSequence } from '#catalog/changes/changes-since.ts';
import { atOneMoment, type Connection } from '#core/db/connection.ts';
import { segmentBuilder } from '../index/segment-builder.ts';
import { readSnapshot, writeSnapshot } from '../index/snapshot.ts';
import { applyChanges, type LiveRegistry, liveRegistry } from './live-index.ts';

/** Keeps a live index equal to the database: loads it once, then follows the change sequence. */

export interface Following {
  identity: string;
  seq: number;
  index: LiveRegistry;
  /** The sequence number of the newest snapshot; -1 before there is one. */
  saved_seq: number;
}

/** From the snapshot where there is one, else from the whole table. */
export async function startFollowing(
  connection: Connection,
  identity: string,
  data_dir: string | null,
): Promise<Following> {
  const snapshot = data_dir === null ? null : readSnapshot(data_dir, identity);
  if (snapshot !== null) {
    const { base, seq } = snapshot;
    const followed = await follow(connection, { identity, seq, saved_seq: seq, index: liveRegistry(base) }, data_dir);
    return followed ?? { identity, seq, saved_seq: seq, index: liveRegistry(base) };
  }
  return save(await loadAll(connection, identity), data_dir);
}

/** What changed in the meantime; null where nothing did. The whole anew where the sequence no longer reaches back. */
export async function follow(
  connection: Connection,
  before: Following,
  data_dir: string | null,
): Promise<Following | null> {
  const { current, purged } = await readSequence(connection);
  if (current === before.seq) return null;
  if (current < before.seq || purged > before.seq) return save(await loadAll(connection, before.identity), data_dir);
  const changes: Change[] = [];
  const seq = await readMoment(connection, before.seq, (page) => void changes.push(...page));
  const { index, rebuilt } = applyChanges(before.index, changes);
  const after = { ...before, seq, index };
  return rebuilt ? save(after, data_dir) : after;
}

async function loadAll(connection: Connection, identity: string): Promise<Following> {
  const builder = segmentBuilder();
  const seq = await readMoment(connection, 0, (page) => {
    for (const { item, hint } of page) if (item !== null) builder.add(item, hint);
  });
  return { identity, seq, index: liveRegistry(builder.finish()), saved_seq: -1 };
}

/** For an index without changes beside its base. */
function save(following: Following, data_dir: string | null): Following {
  const { identity, seq, index } = following;
  if (data_dir === null) return following;
  writeSnapshot(data_dir, { identity, seq, base: index.base });
  return { ...following, saved_seq: seq };
}

/** Answers the sequence number of the moment that was read. */
const readMoment = (connection: Connection, since: number, onPage: (changes: Change[]) => void): Promise<number> =>
  atOneMoment(connection, async () => {
    const { current } = await readSequence(connection);
    for await (const page of changesSince(connection, since)) onPage(page);
    return current;
  });
