import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { SigningKeyRow } from '#core/db/schema-identity.ts';

/** Signing keys. The only SQL that uses `signing_keys`. */

type Db = Kysely<Schema>;

/** All keys ever, oldest first, which also shows the next generation. */
export const listSigningKeys = (db: Db, purpose: string): Promise<SigningKeyRow[]> =>
  db.selectFrom('signing_keys').selectAll().where('purpose', '=', purpose).orderBy('generation').execute();

/** The newest key of each purpose. */
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
 * Adds the key and retires earlier ones at `retire_at`, or never. Returns false without effect if this generation
 * already exists, so processes that start together end up with one key.
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
