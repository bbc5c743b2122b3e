import { quoted } from '#catalog/checks/violation.ts';
import type { TakenDown } from '#catalog/items/taken-down.ts';
import type { PublishedVersionRow } from '#core/db/schema-publishing.ts';
import { Problem } from '#core/problem/problem.ts';
import { fullName, type ListingRow } from './listings.ts';

/** What is left of a listing that was unpublished: enough to know what a receipt or a lock file speaks of. */
const tombstoneOf = (listing: ListingRow, versions: readonly PublishedVersionRow[]) => ({
  id: listing.id,
  name: fullName(listing),
  listing_type: listing.listing_type,
  unpublished_at: listing.updated_at,
  reason: listing.status_reason,
  versions: versions.map(({ version, digest, created_at }) => ({ version, digest, created_at })),
});

/** 410 with what is told of it: none of its files or words. */
export function listingTakenDown(listing: ListingRow): Problem {
  const taken_down = JSON.parse(listing.taken_down ?? '{}') as TakenDown;
  return new Problem(
    'gone',
    'marketplace.listing_taken_down',
    `${fullName(listing)} was taken down (${taken_down.kind}): ${quoted(taken_down.reason)} Its history and how to ` +
      `appeal: ${taken_down.history}.`,
    { extensions: { tombstone: { id: listing.id, taken_down } } },
  );
}

/** 410 with the tombstone. */
export const listingGone = (listing: ListingRow, versions: readonly PublishedVersionRow[]): Problem =>
  new Problem(
    'gone',
    'marketplace.listing_unpublished',
    `${fullName(listing)} was unpublished: ${quoted(listing.status_reason)}. ` +
      'Its versions and digests are kept so that receipts remain verifiable.',
    { extensions: { tombstone: tombstoneOf(listing, versions) } },
  );
