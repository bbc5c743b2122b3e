import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { Caller } from '#core/http/caller.ts';
import { findListingAt, type ListingRow } from '#marketplace/listings/listings.ts';
import { notFound, notYours } from '#marketplace/listings/refusals.ts';

/** The listing of the caller. Throws `marketplace.not_found` and `marketplace.forbidden` (`publisher_only`). */
export async function ownListing(
  db: Kysely<Schema>,
  id: string,
  { user_id, is_operator }: Pick<Caller, 'user_id' | 'is_operator'>,
): Promise<ListingRow> {
  const listing = await findListingAt(db, id);
  if (listing === undefined) throw notFound();
  if (listing.publisher_user_id !== user_id && !is_operator) throw notYours();
  return listing;
}
