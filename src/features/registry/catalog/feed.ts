import { sql } from 'kysely';
import type { Database } from '../../../platform/db/open.ts';
import { readSeq } from '../changes.ts';
import { type Change, changesSince } from '../changes-since.ts';
import { databaseIdentity } from '../database-identity.ts';
import { segmentBuilder } from './build-segment.ts';
import { applyChanges, type LiveIndex, liveIndex } from './live-index.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';

/** Keeps a live index equal to the database: loads it once, then follows the change sequence. */

export interface Following {
  identity: string;
  seq: number;
  index: LiveIndex;
  /** The sequence number of the newest snapshot; -1 before there is one. */
  saved_seq: number;
}

/** From the snapshot where there is one, else from the whole table. */
export async function startFollowing(database: Database, data_dir: string | null): Promise<Following> {
  const identity = await databaseIdentity(database.db);
  const snapshot = data_dir === null ? null : readSnapshot(data_dir, identity);
  if (snapshot !== null) {
    const { base, seq } = snapshot;
    const followed = await follow(database, { identity, seq, saved_seq: seq, index: liveIndex(base) }, data_dir);
    return followed ?? { identity, seq, saved_seq: seq, index: liveIndex(base) };
  }
  return save(await loadAll(database, identity), data_dir);
}

/** What changed in the meantime; null where nothing did. The whole anew where the sequence no longer reaches back. */
export async function follow(
  database: Database,
  before: Following,
  data_dir: string | null,
): Promise<Following | null> {
  const { current, purged } = await readSeq(database.db);
  if (current === before.seq) return null;
  if (current < before.seq || purged > before.seq) return save(await loadAll(database, before.identity), data_dir);
  const changes: Change[] = [];
  const seq = await readMoment(database, before.seq, (page) => void changes.push(...page));
  const { index, rebuilt } = applyChanges(before.index, changes);
  const after = { ...before, seq, index };
  return rebuilt ? save(after, data_dir) : after;
}

async function loadAll(database: Database, identity: string): Promise<Following> {
  const builder = segmentBuilder();
  const seq = await readMoment(database, 0, (page) => {
    for (const { item } of page) if (item !== null) builder.add(item);
  });
  return { identity, seq, index: liveIndex(builder.finish()), saved_seq: -1 };
}

/** For an index without changes beside its base. */
function save(following: Following, data_dir: string | null): Following {
  const { identity, seq, index } = following;
  if (data_dir === null) return following;
  writeSnapshot(data_dir, { identity, seq, base: index.base });
  return { ...following, saved_seq: seq };
}

/** Reads at one moment, so that no transaction is seen in part. Answers the moment's sequence number. */
function readMoment({ db, engine }: Database, since: number, onPage: (changes: Change[]) => void): Promise<number> {
  return db.connection().execute(async (connection) => {
    await (engine === 'postgres'
      ? sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`.execute(connection)
      : sql`BEGIN DEFERRED`.execute(connection));
    try {
      const { current } = await readSeq(connection);
      for await (const page of changesSince(connection, since)) onPage(page);
      return current;
    } finally {
      await sql`ROLLBACK`.execute(connection);
    }
  });
}
