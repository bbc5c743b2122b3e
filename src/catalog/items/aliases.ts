import type { Expression, Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { Listing } from './item.ts';
import { chunks } from './items.ts';

/** Former ids of listings: the only SQL that names `listing_aliases`. */

type Db = Kysely<Schema>;

const ROWS_PER_INSERT = 1_000;

/** Saves the former ids of these listings of one provider. */
export async function saveAliases(trx: Db, provider_id: string, listings: Listing[]): Promise<void> {
  const byAlias = new Map<string, { provider_id: string; alias: string; external_id: string }>();
  for (const { aliases, external_id } of listings) {
    for (const alias of aliases) if (alias !== external_id) byAlias.set(alias, { provider_id, alias, external_id });
  }
  const rows = [...byAlias.values()].sort((a, b) => (a.alias < b.alias ? -1 : 1));
  for (const some of chunks(rows, ROWS_PER_INSERT)) {
    await trx
      .insertInto('listing_aliases')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['provider_id', 'alias']).doUpdateSet({ external_id: (eb) => eb.ref('excluded.external_id') }),
      )
      .execute();
  }
}

/** The current id for a former one; null if there is none. */
export async function currentId(db: Db, provider_id: string, alias: string): Promise<string | null> {
  const row = await db
    .selectFrom('listing_aliases')
    .select('external_id')
    .where('provider_id', '=', provider_id)
    .where('alias', '=', alias)
    .executeTakeFirst();
  return row?.external_id ?? null;
}

/** As `currentId`, as part of another statement. */
export const currentIdOf = (db: Db, provider_id: Expression<string>, alias: Expression<string>) =>
  db
    .selectFrom('listing_aliases as former')
    .select('former.external_id')
    .where('former.provider_id', '=', provider_id)
    .where('former.alias', '=', alias);
