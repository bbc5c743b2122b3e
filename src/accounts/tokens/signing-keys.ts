import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { SigningKeyRow } from '#core/db/schema-identity.ts';

/** The keys that sign. The only SQL that names `signing_keys`. */

type Db = Kysely<Schema>;

/** All that there ever were, oldest first: one read that tells which generation comes next. */
export const listSigningKeys = (db: Db, purpose: string): Promise<SigningKeyRow[]> =>
  db.selectFrom('signing_keys').selectAll().where('purpose', '=', purpose).orderBy('generation').execute();

/** Of each purpose the newest. */
export const newestSigningKeys = (db: Db): Promise<SigningKeyRow[]> =>
  db
    .selectFrom('signing_keys as key')
    .selectAll()
    .where('generation', '=', (of) =>
      of
        .selectFrom('signing_keys as other')
        .select((eb) => eb.fn.max('other.generation').as('generation'))
        .whereRef('other.purpose', '=', 'key.purpose'),
    )
    .execute();

/**
 * Adds the key and retires those before it at `retire_at`, or never. False, and nothing happens, where somebody else
 * was first with this generation: several processes that start together end with one key.
 */
export const addSigningKey = (db: Db, key: SigningKeyRow, retire_at: string | null): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const added = await trx
      .insertInto('signing_keys')
      .values(key)
      .onConflict((conflict) => conflict.columns(['purpose', 'generation']).doNothing())
      .returning('id')
      .execute();
    if (added.length === 0) return false;
    if (retire_at === null) return true;
    await trx
      .updateTable('signing_keys')
      .set({ retired_at: retire_at })
      .where('purpose', '=', key.purpose)
      .where('generation', '<', key.generation)
      .where((eb) => eb.or([eb('retired_at', 'is', null), eb('retired_at', '>', retire_at)]))
      .execute();
    return true;
  });
