import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { PublishedVersionRow } from '#core/db/schema-publishing.ts';
import { listingGone, listingTakenDown } from '#marketplace/listings/listing-gone.ts';
import { findListing, type ListingRow, listVersions } from '#marketplace/listings/listings.ts';
import { notFound, versionNotFound } from '#marketplace/listings/refusals.ts';

type Db = Kysely<Schema>;

interface Standing {
  listing: ListingRow;
  /** Oldest first. */
  versions: PublishedVersionRow[];
}

/** A published listing. Throws 404 if unknown, and 410 with the tombstone if it was unpublished or taken down. */
export async function standingListing(db: Db, id: string): Promise<Standing> {
  const listing = await findListing(db, id);
  if (listing === undefined) throw notFound();
  if (listing.taken_down !== null) throw listingTakenDown(listing);
  const versions = await listVersions(db, [id]);
  if (listing.status === 'unpublished') throw listingGone(listing, versions);
  return { listing, versions };
}

/** One of its versions, including yanked ones. Throws 410 for a version that was unpublished earlier. */
export async function standingVersion(db: Db, id: string, version: string) {
  const { listing, versions } = await standingListing(db, id);
  const row = versions.find((publishedVersionRow) => publishedVersionRow.version === version);
  if (row === undefined) throw versionNotFound(version);
  if (row.status === 'unpublished') throw listingGone({ ...listing, status_reason: row.status_reason }, versions);
  return { listing, row };
}
