import type { Kysely } from 'kysely';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { findListing, notFound } from './find-listing.ts';
import { findRow } from './read-items.ts';

/** The live listing with this id or former id. Throws `registry.not_found`, `.listing_removed` or `.listing_taken_down`. */
export async function findLiveListing(
  db: Kysely<Schema>,
  { provider, external_id }: { provider: string; external_id: string },
  now_ms: number,
): Promise<ListingRow> {
  const found = await findListing(db, provider, external_id, now_ms);
  if (found.markdown) throw notFound(provider);
  if (found.kind === 'listing') return found.row;
  const row = await findRow(db, { provider_id: provider, external_id: found.external_id });
  if (row === undefined || row.removed_at !== null) throw notFound(provider);
  return row;
}
