import type { Kysely } from 'kysely';
import type { ListingRow, Schema } from '#core/db/schema.ts';

/** The SQL that reads `listings`. */

type Db = Kysely<Schema>;
export type ListingKey = Pick<ListingRow, 'provider_id' | 'external_id'>;

/** Of maps; no provider has a space in its id. */
export const listingKey = ({ provider_id, external_id }: ListingKey): string => `${provider_id} ${external_id}`;

/** Includes tombstones; the caller checks `removed_at`. */
export const findRow = (db: Db, key: ListingKey): Promise<ListingRow | undefined> =>
  db
    .selectFrom('listings')
    .selectAll()
    .where('provider_id', '=', key.provider_id)
    .where('external_id', '=', key.external_id)
    .executeTakeFirst();

/** A page of live listings, sorted by provider and id, after the given one. */
export const liveRows = (db: Db, after: ListingKey | null, limit: number): Promise<ListingRow[]> =>
  db
    .selectFrom('listings')
    .selectAll()
    .where('removed_at', 'is', null)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('provider_id', 'external_id'), '>', tuple(after?.provider_id ?? '', after?.external_id ?? '')),
      ),
    )
    .orderBy('provider_id')
    .orderBy('external_id')
    .limit(limit)
    .execute();

export type ChangeKey = ListingKey & Pick<ListingRow, 'seq'>;

const changedAfter = (db: Db, { seq, provider_id, external_id }: ChangeKey, limit: number) =>
  db
    .selectFrom('listings')
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('seq', 'provider_id', 'external_id'), '>', tuple(seq, provider_id, external_id)),
    )
    .orderBy('seq')
    .orderBy('provider_id')
    .orderBy('external_id')
    .limit(limit);

/** A page of changes after a key, in sequence order, including tombstones. */
export const changedRows = (db: Db, after: ChangeKey, limit: number): Promise<ListingRow[]> =>
  changedAfter(db, after, limit).selectAll().execute();

const OF_INSTALL = [
  ...(['provider_id', 'external_id', 'execution_class', 'install', 'downloads', 'stars', 'removed_at', 'seq'] as const),
] as const;
export type ChangedInstall = Pick<ListingRow, (typeof OF_INSTALL)[number]>;

/** As `changedRows`, with the columns that describe how to reach a listing. */
export const changedInstalls = (db: Db, after: ChangeKey, limit: number): Promise<ChangedInstall[]> =>
  changedAfter(db, after, limit).select(OF_INSTALL).execute();

type ListingName = ListingKey & Pick<ListingRow, 'name' | 'description' | 'listing_type'>;

/** Names of the live ones among these. */
export async function namesOf(db: Db, keys: readonly ListingKey[]): Promise<ListingName[]> {
  const providers = [...new Set(keys.map(({ provider_id }) => provider_id))];
  const found = await Promise.all(
    providers.map((providerId) =>
      db
        .selectFrom('listings')
        .select(['provider_id', 'external_id', 'name', 'description', 'listing_type'])
        .where('provider_id', '=', providerId)
        .where(
          'external_id',
          'in',
          keys.filter((key) => key.provider_id === providerId).map(({ external_id }) => external_id),
        )
        .where('removed_at', 'is', null)
        .execute(),
    ),
  );
  return found.flat();
}

/** Sorted ids of a provider with this prefix. */
export async function idsFrom(db: Db, provider_id: string, start: string, limit: number): Promise<string[]> {
  // PostgreSQL rejects NUL, and no id contains it.
  if (start.includes('\0')) return [];
  const rows = await db
    .selectFrom('listings')
    .select('external_id')
    .where('provider_id', '=', provider_id)
    .where('external_id', '>=', start)
    .where((eb) => eb(eb.fn<string>('substr', ['external_id', eb.val(1), eb.val([...start].length)]), '=', start))
    .where('removed_at', 'is', null)
    .orderBy('external_id')
    .limit(limit)
    .execute();
  return rows.map(({ external_id }) => external_id);
}
