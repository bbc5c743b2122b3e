import { type ItemContent, itemContentOf } from '#catalog/items/item-detail.ts';
import { NOTHING_FOUND } from '#catalog/items/listing-details.ts';
import { findRow } from '#catalog/items/read-items.ts';
import { placeOf } from './capability-detail.ts';
import type { MarketplaceDeps } from './deps.ts';
import type { KnownListing } from './read-listing.ts';

/** What the tabs of a capability's page show of the provider's listing that is closest to running. Makes no request. */
export async function shownItem(
  { db, runnable, readDetails }: Pick<MarketplaceDeps, 'db' | 'runnable' | 'readDetails'>,
  { detail: { members = [], runnable: best = null } }: KnownListing,
): Promise<ItemContent | null> {
  const place = placeOf({ members, runnable: best });
  if (place === undefined) return null;
  const row = await findRow(db, { provider_id: place.provider, external_id: place.external_id });
  if (row === undefined || row.removed_at !== null) return null;
  const [ran, found] = await Promise.all([runnable(row), readDetails?.(row) ?? NOTHING_FOUND]);
  return itemContentOf(row, ran, found);
}
