import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { CapabilityFeaturedRow } from '#core/db/schema-moderation.ts';

/** Featured capabilities: the only SQL that writes `capability_featured`. */

type Db = Kysely<Schema>;

export interface FeaturedStanding extends CapabilityFeaturedRow {
  stands_id: string;
}

/** In display order: first those chosen by operators, by place and age, then the others. */
export const listFeaturedRows = (db: Db): Promise<FeaturedStanding[]> =>
  db
    .selectFrom('capability_featured')
    .innerJoin('capabilities', 'capabilities.id', 'capability_featured.capability_id')
    .selectAll('capability_featured')
    .select('stands_id')
    .orderBy('origin', 'desc')
    .orderBy('place')
    .orderBy('since')
    .orderBy('capability_id')
    .execute();

/** Replaces the entries of its group. */
export async function setFeatured(trx: Db, row: CapabilityFeaturedRow, group_ids: readonly string[]): Promise<void> {
  await removeFeatured(trx, group_ids);
  await trx.insertInto('capability_featured').values(row).execute();
}

/** Returns the number of removed rows. */
export async function removeFeatured(trx: Db, ids: readonly string[], origin?: string): Promise<number> {
  const rows = await trx
    .deleteFrom('capability_featured')
    .where('capability_id', 'in', [...ids, ''])
    .$if(origin !== undefined, (query) => query.where('origin', '=', origin ?? ''))
    .returning('capability_id')
    .execute();
  return rows.length;
}
