import type { Kysely } from 'kysely';
import type { ListingRow, Schema } from '#core/db/schema.ts';

/** SQL that pages through the ids of one provider's live listings, for sitemaps. */

type Db = Kysely<Schema>;
type Place = Pick<ListingRow, 'external_id' | 'changed_at'>;

export const placesAfter = (db: Db, provider_id: string, after: string, limit: number): Promise<Place[]> =>
  db
    .selectFrom('listings')
    .select(['external_id', 'changed_at'])
    .where('provider_id', '=', provider_id)
    .where('external_id', '>', after)
    .where('removed_at', 'is', null)
    .orderBy('external_id')
    .limit(limit)
    .execute();

/** The id before position `place` (from 0); `''` for the first position, null beyond the end. */
export async function idBefore(db: Db, provider_id: string, place: number): Promise<string | null> {
  if (place === 0) return '';
  const row = await db
    .selectFrom('listings')
    .select('external_id')
    .where('provider_id', '=', provider_id)
    .where('removed_at', 'is', null)
    .orderBy('external_id')
    .limit(1)
    .offset(place - 1)
    .executeTakeFirst();
  return row?.external_id ?? null;
}
