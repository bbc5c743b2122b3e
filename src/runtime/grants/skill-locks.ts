import type { Kysely } from 'kysely';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Ecosystem, KeptLock } from '#runtime/native/native-scripts.ts';

/**
 * The exact packages of skills, kept beyond the store of packages: the only SQL that uses `skill_locks` and `published_skill_locks`.
 * They fall with the listing, with the account, and with the grants of the skill.
 */

type Db = Kysely<Schema>;

interface LockPlace {
  /** Null for runs of the operator. */
  user_id: string | null;
  provider_id: string;
  external_id: string;
}

interface LockOf extends LockPlace {
  /** Of the version of the skill. */
  digest: string;
  ecosystem: Ecosystem;
}

/** Both tables have the same columns; they differ in the listings that they refer to. */
const tableOf = ({ provider_id }: Pick<LockPlace, 'provider_id'>): 'skill_locks' =>
  (provider_id === OWN_SOURCE ? 'published_skill_locks' : 'skill_locks') as 'skill_locks';

const MOST_OF_SKILL = 10;
/** In each table, of one account and of the operator's runs. */
const MOST_OF_OWNER = 200;

const idOf = ({ user_id, provider_id, external_id, digest, ecosystem }: LockOf): string =>
  sha256(JSON.stringify([user_id, provider_id, external_id, digest, ecosystem]));

export async function findLock(db: Db, of: LockOf, wanted: string, now: string): Promise<KeptLock | null> {
  const id = idOf(of);
  const table = tableOf(of);
  const row = await db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined || row.wanted !== wanted) return null;
  // Once a day is enough to know which is used least.
  if (row.used_at.slice(0, 10) !== now.slice(0, 10))
    await db.updateTable(table).set({ used_at: now }).where('id', '=', id).execute();
  const { content, lock_sha256, tree_sha256 } = row;
  return { content: Buffer.from(content), lock_sha256, tree_sha256 };
}

/** The locks that were not used for longest are removed beyond the limits. The first lock of a version stays. */
export async function keepLock(trx: Db, of: LockOf, wanted: string, lock: KeptLock, now: string): Promise<void> {
  const { user_id, provider_id, external_id, digest, ecosystem } = of;
  const id = idOf(of);
  const table = tableOf(of);
  await trx.deleteFrom(table).where('id', '=', id).where('wanted', '!=', wanted).execute();
  const { lock_sha256, tree_sha256 } = lock;
  const content = Buffer.from(lock.content).toString('utf8');
  const facts = { digest, ecosystem, wanted, content, lock_sha256, tree_sha256 };
  await trx
    .insertInto(table)
    .values(Object.assign({ id, user_id, provider_id, external_id, created_at: now, used_at: now }, facts))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await removeBeyond(
    trx,
    table,
    ofOwner(trx, table, user_id).where((eb) => eb.and({ provider_id, external_id })),
    MOST_OF_SKILL,
  );
  await removeBeyond(trx, table, ofOwner(trx, table, user_id), MOST_OF_OWNER);
}

export const locksOf = (db: Db, { user_id, provider_id, external_id }: LockPlace) =>
  ofOwner(db, tableOf({ provider_id }), user_id)
    .where((eb) => eb.and({ provider_id, external_id }))
    .select(['digest', 'ecosystem', 'lock_sha256', 'tree_sha256', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(2 * MOST_OF_SKILL)
    .execute();

export async function deleteLocks(db: Db, { user_id, provider_id, external_id }: LockPlace): Promise<void> {
  const ids = ofOwner(db, tableOf({ provider_id }), user_id)
    .where((eb) => eb.and({ provider_id, external_id }))
    .select('id');
  await db.deleteFrom(tableOf({ provider_id })).where('id', 'in', ids).execute();
}

const ofOwner = (db: Db, table: 'skill_locks', userId: string | null) =>
  db.selectFrom(table).where((eb) => (userId === null ? eb('user_id', 'is', null) : eb('user_id', '=', userId)));

async function removeBeyond(
  trx: Db,
  table: 'skill_locks',
  locks: ReturnType<typeof ofOwner>,
  most: number,
): Promise<void> {
  const old = await locks.select('id').orderBy('used_at', 'desc').orderBy('id').offset(most).limit(most).execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await trx.deleteFrom(table).where('id', 'in', ids).execute();
}
