import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { CollectionRow } from '#core/db/schema-collections.ts';

/** Collections and what is in them: the only SQL that names their two tables. */

type Db = Kysely<Schema>;

/** In display order. */
export const listCollectionRows = (db: Db): Promise<CollectionRow[]> =>
  db.selectFrom('collections').selectAll().orderBy('place').orderBy('created_at').orderBy('slug').execute();

export const findCollectionRow = (db: Db, slug: string): Promise<CollectionRow | undefined> =>
  db.selectFrom('collections').selectAll().where('slug', '=', slug).executeTakeFirst();

/** The current capabilities of collections, each in its order. */
export async function capabilitiesIn(db: Db, slugs: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('collection_listings')
    .innerJoin('capabilities', 'capabilities.id', 'collection_listings.capability_id')
    .select(['slug', 'stands_id'])
    .where('slug', 'in', [...slugs, ''])
    .orderBy('place')
    .execute();
  const grouped = Map.groupBy(rows, ({ slug }) => slug);
  return new Map([...grouped].map(([slug, of]) => [slug, [...new Set(of.map(({ stands_id }) => stands_id))]]));
}

/** Replaces the collection and its list. */
export async function saveCollection(trx: Db, row: CollectionRow, capabilityIds: readonly string[]): Promise<void> {
  const { slug, created_at: _, ...rest } = row;
  await trx
    .insertInto('collections')
    .values(row)
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(rest))
    .execute();
  await trx.deleteFrom('collection_listings').where('slug', '=', slug).execute();
  if (capabilityIds.length === 0) return;
  await trx
    .insertInto('collection_listings')
    .values(capabilityIds.map((capability_id, place) => ({ slug, capability_id, place })))
    .execute();
}

export async function deleteCollection(trx: Db, slug: string): Promise<void> {
  await trx.deleteFrom('collections').where('slug', '=', slug).execute();
}
