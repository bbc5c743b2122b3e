import { quoted } from '#catalog/checks/violation.ts';
import type { TakenDown } from '#catalog/items/taken-down.ts';
import type { PublishedVersionRow } from '#core/db/schema-publishing.ts';
import type { Problem } from '#core/problem/problem.ts';
import { marketplaceProblem } from '#marketplace/errors.ts';
import { fullName, type ListingRow } from './listings.ts';

/** What remains of an unpublished listing: enough to resolve receipts and lock files. */
const tombstoneOf = (listing: ListingRow, versions: readonly PublishedVersionRow[]) => ({
  id: listing.id,
  name: fullName(listing),
  listing_type: listing.listing_type,
  unpublished_at: listing.updated_at,
  reason: listing.status_reason,
  versions: versions.map(({ version, digest, created_at }) => ({ version, digest, created_at })),
});

/** 410 with the takedown, without files or text of the listing. */
export function listingTakenDown(listing: ListingRow): Problem {
  const taken_down = JSON.parse(listing.taken_down ?? '{}') as TakenDown;
  return marketplaceProblem(
    'marketplace.gone',
    `${fullName(listing)} was taken down (${taken_down.kind}): ${quoted(taken_down.reason)} Its history and how to ` +
      `appeal: ${taken_down.history}.`,
    { reason: 'taken_down', extensions: { tombstone: { id: listing.id, taken_down } } },
  );
}

/** 410 with the tombstone. */
export const listingGone = (listing: ListingRow, versions: readonly PublishedVersionRow[]): Problem =>
  marketplaceProblem(
    'marketplace.gone',
    `${fullName(listing)} was unpublished: ${quoted(listing.status_reason)}. ` +
      'Its versions and digests are kept so that receipts remain verifiable.',
    { reason: 'unpublished', extensions: { tombstone: tombstoneOf(listing, versions) } },
  );
