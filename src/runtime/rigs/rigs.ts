import type { Kysely } from 'kysely';
import { type PagePlace, pageOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import type { RigLockRow, RigRow, RigVersionRow } from '#core/db/schema-rigs.ts';

/** The rigs, their versions and locks: the only SQL that names their tables. */

type Db = Kysely<Schema>;

export interface Owned {
  user_id: string;
  /** Its id or its name. */
  ref: string;
}

export const findRig = (db: Db, { user_id, ref }: Owned): Promise<RigRow | undefined> =>
  db
    .selectFrom('rigs')
    .selectAll()
    .where('user_id', '=', user_id)
    .where((eb) => eb.or([eb('id', '=', ref), eb('name', '=', ref)]))
    .orderBy('created_at')
    .executeTakeFirst();

export type ListedRig = RigRow & Pick<RigVersionRow, 'description' | 'digest' | 'lock_digest'>;

/** The newest version of each rig, most recently changed first. */
export async function listRigs(db: Db, user_id: string, page: PagePlace) {
  const { items, total_count } = await pageOf(db.selectFrom('rigs').where('rigs.user_id', '=', user_id), page, (of) =>
    of
      .innerJoin('rig_versions as newest', (join) =>
        join.onRef('newest.rig_id', '=', 'rigs.id').onRef('newest.version', '=', 'rigs.version'),
      )
      .selectAll('rigs')
      .select(['newest.description', 'newest.digest', 'newest.lock_digest'])
      .orderBy('rigs.updated_at', 'desc')
      .orderBy('rigs.id', 'desc'),
  );
  return { items: items as ListedRig[], total_count };
}

export const findVersion = (db: Db, rig_id: string, version: string): Promise<RigVersionRow | undefined> =>
  db
    .selectFrom('rig_versions')
    .selectAll()
    .where('rig_id', '=', rig_id)
    .where('version', '=', version)
    .executeTakeFirst();

type ListedVersion = Pick<RigVersionRow, 'version' | 'number' | 'digest' | 'lock_digest' | 'created_at'>;

/** The newest first. */
export const listVersions = (db: Db, rig_id: string): Promise<ListedVersion[]> =>
  db
    .selectFrom('rig_versions')
    .select(['version', 'number', 'digest', 'lock_digest', 'created_at'])
    .where('rig_id', '=', rig_id)
    .orderBy('number', 'desc')
    .execute();

export const insertRig = async (trx: Db, rig: RigRow): Promise<void> =>
  void (await trx.insertInto('rigs').values(rig).execute());

export const insertVersion = async (trx: Db, version: RigVersionRow): Promise<void> =>
  void (await trx.insertInto('rig_versions').values(version).execute());

export const touchRig = async (trx: Db, id: string, edit: Pick<RigRow, 'version' | 'updated_at'>): Promise<void> =>
  void (await trx.updateTable('rigs').set(edit).where('id', '=', id).execute());

/** Replaces the text of a version that was never locked, so that nothing refers to the old text. */
export async function replaceVersion(
  trx: Db,
  { rig_id, version }: Pick<RigVersionRow, 'rig_id' | 'version'>,
  edit: Pick<RigVersionRow, 'yaml' | 'digest' | 'description'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('rig_versions')
    .set(edit)
    .where('rig_id', '=', rig_id)
    .where('version', '=', version)
    .where('lock_digest', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes a version with its locks. */
export const deleteVersion = async (trx: Db, rig_id: string, version: string): Promise<void> =>
  void (await trx.deleteFrom('rig_versions').where('rig_id', '=', rig_id).where('version', '=', version).execute());

/** Deletes a rig with all versions and locks. */
export const deleteRigRow = async (trx: Db, id: string): Promise<void> =>
  void (await trx.deleteFrom('rigs').where('id', '=', id).execute());

export const findLock = (db: Db, { rig_id, version, lock_digest }: RigVersionRow): Promise<RigLockRow | undefined> =>
  db
    .selectFrom('rig_locks')
    .selectAll()
    .where('rig_id', '=', rig_id)
    .where('version', '=', version)
    .where('digest', '=', lock_digest ?? '')
    .executeTakeFirst();

const MOST_LOCKS = 50;

/** Puts a lock in force; one that was in force before is that again. The oldest of many are forgotten. */
export async function putLock(db: Db, lock: RigLockRow): Promise<void> {
  const { rig_id, version, digest, created_at } = lock;
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('rig_locks')
      .values(lock)
      .onConflict((conflict) => conflict.columns(['rig_id', 'version', 'digest']).doUpdateSet({ created_at }))
      .execute();
    const of = { rig_id, version };
    const kept = await trx
      .selectFrom('rig_locks')
      .select('digest')
      .where((eb) => eb.and(of))
      .orderBy('created_at', 'desc')
      .orderBy('digest')
      .execute();
    const old = kept.slice(MOST_LOCKS).map((row) => row.digest);
    if (old.length > 0)
      await trx
        .deleteFrom('rig_locks')
        .where((eb) => eb.and(of))
        .where('digest', 'in', old)
        .where('digest', '!=', digest)
        .execute();
    await trx
      .updateTable('rig_versions')
      .set({ lock_digest: digest })
      .where((eb) => eb.and(of))
      .execute();
  });
}
