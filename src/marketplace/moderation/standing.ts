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

/** A listing that is published; 404 where there never was one, 410 with its tombstone where it was, or was taken down. */
export async function standingListing(db: Db, id: string): Promise<Standing> {
  const listing = await findListing(db, id);
  if (listing === undefined) throw notFound();
  if (listing.taken_down !== null) throw listingTakenDown(listing);
  const versions = await listVersions(db, [id]);
  if (listing.status === 'unpublished') throw listingGone(listing, versions);
  return { listing, versions };
}

/** One of its versions, yanked ones too; 410 for one that went when the listing was unpublished before. */
export async function standingVersion(db: Db, id: string, version: string) {
  const { listing, versions } = await standingListing(db, id);
  const row = versions.find((publishedVersionRow) => publishedVersionRow.version === version);
  if (row === undefined) throw versionNotFound(version);
  if (row.status === 'unpublished') throw listingGone({ ...listing, status_reason: row.status_reason }, versions);
  return { listing, row };
}
