import { type Kysely, sql } from 'kysely';
import { endsKept, isSlip, LEAST_OF_LISTING, skeletonOf } from '#catalog/search/text/confusable.ts';
import { countOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import type { PublishedChangeRow, PublishedListingRow, PublishedVersionRow } from '#core/db/schema-publishing.ts';

/** Published listings: the only SQL that names the tables of listings, versions and changes. */

type Db = Kysely<Schema>;

/** A listing with its publisher's name. */
export interface ListingRow extends PublishedListingRow {
  publisher: string;
  publisher_user_id: string | null;
}

export const fullName = ({ publisher, name }: Pick<ListingRow, 'publisher' | 'name'>): string => `${publisher}/${name}`;

/**
 * Takes the next change number and locks its row until the transaction ends. This serializes publishing and withdrawing, so that
 * names, limits and versions are exact.
 */
export async function nextChange(trx: Db): Promise<number> {
  const { value } = await trx
    .updateTable('change_counters')
    .set({ value: sql<number>`value + 1` })
    .where('name', '=', 'published')
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

export const lastChange = async (db: Db): Promise<number> =>
  (await db.selectFrom('change_counters').select('value').where('name', '=', 'published').executeTakeFirstOrThrow())
    .value;

const listings = (db: Db) =>
  db
    .selectFrom('published_listings')
    .innerJoin('publishers', 'publishers.id', 'published_listings.publisher_id')
    .selectAll('published_listings')
    .select(['publishers.name as publisher', 'publishers.user_id as publisher_user_id']);

export const findListing = (db: Db, id: string): Promise<ListingRow | undefined> =>
  listings(db).where('published_listings.id', '=', id).executeTakeFirst();

/** Finds a listing by id or `publisher/name`. */
export function findListingAt(db: Db, ref: string): Promise<ListingRow | undefined> {
  const [publisher = '', name] = ref.split('/');
  if (name === undefined) return findListing(db, ref);
  return listings(db)
    .where('publishers.name', '=', publisher)
    .where('published_listings.name', '=', ref.slice(publisher.length + 1))
    .executeTakeFirst();
}

export const findListingNamed = (db: Db, publisher_id: string, name: string): Promise<ListingRow | undefined> =>
  listings(db)
    .where('published_listings.publisher_id', '=', publisher_id)
    .where('published_listings.name', '=', name)
    .executeTakeFirst();

/** A listing with the same skeleton but another name. */
export const findListingLike = (db: Db, look: string, name: string): Promise<ListingRow | undefined> =>
  listings(db)
    .where('published_listings.look', '=', look)
    .where('published_listings.name', '!=', name)
    .limit(1)
    .executeTakeFirst();

/** Another publisher's listing whose name is a typo of this one; none if a listing with this exact name exists. */
export async function findListingNear(
  db: Db,
  { name, publisher_id }: { name: string; publisher_id: string | null },
): Promise<ListingRow | undefined> {
  const look = skeletonOf(name);
  if (look.length < LEAST_OF_LISTING - 1) return undefined;
  const { head, tail } = endsKept(look);
  const chars = sql<number>`length(published_listings.look)`;
  const candidates = await listings(db)
    .where(chars, '>=', look.length - 1)
    .where(chars, '<=', look.length + 1)
    .where((eb) =>
      eb.or([eb('published_listings.look', 'like', `${head}%`), eb('published_listings.look', 'like', `%${tail}`)]),
    )
    .execute();
  if (candidates.some((candidate) => candidate.name === name)) return undefined;
  return candidates.find((candidate) => candidate.publisher_id !== publisher_id && isSlip(name, candidate.name));
}

export const listListingsOf = (db: Db, publisher_id: string): Promise<ListingRow[]> =>
  listings(db)
    .where('published_listings.publisher_id', '=', publisher_id)
    .orderBy('published_listings.created_at')
    .orderBy('published_listings.id')
    .execute();

const AT_ONCE = 500;

/** Listings that changed after `seq`, oldest first. At most a page, extended to all of the last change. */
export async function listChangedAfter(db: Db, seq: number): Promise<ListingRow[]> {
  const page = await listings(db).where('seq', '>', seq).orderBy('seq').limit(AT_ONCE).execute();
  const last = page.at(-1);
  if (last === undefined || page.length < AT_ONCE) return page;
  const rest = await listings(db).where('seq', '=', last.seq).execute();
  return [...page.filter((row) => row.seq !== last.seq), ...rest];
}

/** Names of all skills ever published, oldest first. */
export const listSkillNames = (db: Db): Promise<Pick<ListingRow, 'id' | 'publisher' | 'name'>[]> =>
  db
    .selectFrom('published_listings')
    .innerJoin('publishers', 'publishers.id', 'published_listings.publisher_id')
    .select(['published_listings.id', 'publishers.name as publisher', 'published_listings.name'])
    .where('listing_type', '=', 'skill')
    .orderBy('published_listings.created_at')
    .orderBy('published_listings.id')
    .execute();

/** Files as JSON of one version per listing, by listing id. */
export async function listFilesOf(
  db: Db,
  versions: readonly Pick<PublishedVersionRow, 'listing_id' | 'version'>[],
): Promise<Map<string, string>> {
  const wanted = new Map(versions.map(({ listing_id, version }) => [listing_id, version]));
  const found = new Map<string, string>();
  for (let at = 0; at < versions.length; at += AT_ONCE) {
    const rows = await db
      .selectFrom('published_versions')
      .select(['listing_id', 'version', 'files'])
      .where(
        'listing_id',
        'in',
        versions.slice(at, at + AT_ONCE).map(({ listing_id }) => listing_id),
      )
      .execute();
    for (const row of rows) if (wanted.get(row.listing_id) === row.version) found.set(row.listing_id, row.files);
  }
  return found;
}

export async function insertListing(db: Db, row: Omit<PublishedListingRow, 'taken_down'>): Promise<void> {
  await db.insertInto('published_listings').values(row).execute();
}

type ListingChange = Partial<Pick<PublishedListingRow, 'status' | 'status_reason' | 'taken_down'>> &
  Pick<PublishedListingRow, 'seq' | 'updated_at'>;

export async function changeListing(db: Db, id: string, change: ListingChange): Promise<void> {
  await db.updateTable('published_listings').set(change).where('id', '=', id).execute();
}

export const listVersions = (db: Db, listing_ids: readonly string[]): Promise<PublishedVersionRow[]> =>
  db
    .selectFrom('published_versions')
    .selectAll()
    .where('listing_id', 'in', [...listing_ids, ''])
    .orderBy('created_at')
    .orderBy('version')
    .execute();

export async function insertVersion(db: Db, row: PublishedVersionRow): Promise<void> {
  await db.insertInto('published_versions').values(row).execute();
}

/** The columns that are needed to check a version again, with its listing's name. */
export type ToRecheck = Pick<
  PublishedVersionRow,
  'listing_id' | 'version' | 'license' | 'execution_class' | 'files' | 'findings'
> &
  Pick<PublishedListingRow, 'name' | 'listing_type'>;

/** At most `most` versions whose findings are from a lower version of the checks; all, or only this one. */
export const listCheckedBelow = (
  db: Db,
  checks_version: number,
  most: number,
  only?: Pick<PublishedVersionRow, 'listing_id' | 'version'>,
): Promise<ToRecheck[]> =>
  db
    .selectFrom('published_versions as v')
    .innerJoin('published_listings as l', 'l.id', 'v.listing_id')
    .select(['v.listing_id', 'v.version', 'v.license', 'v.execution_class', 'v.files', 'v.findings'])
    .select(['l.name', 'l.listing_type'])
    .where('v.checked_with', '<', checks_version)
    .where('v.status', '<>', 'unpublished')
    .$if(only !== undefined, (query) =>
      query.where('v.listing_id', '=', only?.listing_id ?? '').where('v.version', '=', only?.version ?? ''),
    )
    .limit(most)
    .execute();

export async function changeVersions(
  db: Db,
  listing_id: string,
  versions: readonly string[],
  change: Partial<PublishedVersionRow>,
): Promise<void> {
  await db
    .updateTable('published_versions')
    .set(change)
    .where('listing_id', '=', listing_id)
    .where('version', 'in', [...versions, ''])
    .execute();
}

export async function insertChanges(db: Db, rows: PublishedChangeRow[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('published_changes').values(rows).execute();
}

export const listChanges = (db: Db, listing_id: string): Promise<PublishedChangeRow[]> =>
  db
    .selectFrom('published_changes')
    .selectAll()
    .where('listing_id', '=', listing_id)
    .orderBy('seq')
    .orderBy('version')
    .execute();

/** Deletes the reasons that a deleted publisher wrote. */
export async function forgetReasons(db: Db, listing_id: string): Promise<void> {
  await db.updateTable('published_changes').set({ reason: '' }).where('listing_id', '=', listing_id).execute();
}

/** Usage of a publisher: listings, stored bytes, and versions since a time. */
export async function usageOf(db: Db, publisher_id: string, since: string) {
  const row = await db
    .selectFrom('published_versions')
    .innerJoin('published_listings', 'published_listings.id', 'published_versions.listing_id')
    .select(({ fn }) => [
      fn
        .count<number>('published_versions.version')
        .filterWhere('published_versions.created_at', '>', since)
        .as('recent'),
      fn.min('published_versions.created_at').filterWhere('published_versions.created_at', '>', since).as('oldest'),
      fn.sum<number>('bytes').filterWhere('published_versions.status', '!=', 'unpublished').as('bytes'),
    ])
    .where('publisher_id', '=', publisher_id)
    .executeTakeFirst();
  return {
    listings: await countOf(db.selectFrom('published_listings').where('publisher_id', '=', publisher_id)),
    recent: Number(row?.recent ?? 0),
    oldest: row?.oldest ?? null,
    bytes: Number(row?.bytes ?? 0),
  };
}
