import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { findListing, fullName, type ListingRow, listVersions } from '#marketplace/listings/listings.ts';
import { latestVersion, versionOf } from '#marketplace/listings/shapes.ts';
import type { Publishing } from './publish-version.ts';
import { type WithdrawOrder, withdraw } from './withdraw.ts';

/** Withdraws and returns the new state of the listing. */
export async function withdrawnAnswer(deps: MarketplaceDeps, by: Publishing, order: WithdrawOrder) {
  const changed = await withdraw(deps, by, order);
  const listing = (await findListing(deps.db, order.id)) as ListingRow;
  const versions = await listVersions(deps.db, [order.id]);
  return {
    id: listing.id,
    name: fullName(listing),
    status: listing.status,
    latest: latestVersion(versions),
    changed,
    versions: versions.map(versionOf),
  };
}
