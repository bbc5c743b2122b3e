import type { MarketplaceDeps } from './deps.ts';
import { findListing, fullName, type ListingRow, listVersions } from './listings.ts';
import type { Publishing } from './publish.ts';
import { latestVersion, versionOf } from './shapes.ts';
import { type WithdrawOrder, withdraw } from './withdraw.ts';

/** Withdraws, and answers what the listing is then. */
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
