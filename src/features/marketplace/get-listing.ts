import { type Handler, json } from '../../platform/http/operation.ts';
import type { ListingType } from '../registry/kinds.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { listChanges } from './listings.ts';
import { RUNS } from './runs.ts';
import { latestVersion, listingAt, pathOf, versionOf, versionPath } from './shapes.ts';
import { standingListing } from './standing.ts';
import { newestOf } from './version.ts';

/** GET /api/marketplace/listings/{id} */
export const getListing =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof marketplaceContract.getListing> =>
  async ({ params: { id } }) => {
    const { listing, versions } = await standingListing(db, id);
    const shown = newestOf(versions);
    const history = await listChanges(db, id);
    const publisher = `/api/marketplace/publishers/${listing.publisher_id}`;
    return json({
      ...listingAt(listing, shown),
      latest: latestVersion(versions),
      versions: versions.map(versionOf),
      history: history.map(({ version, change, actor, reason, at }) => ({ version, change, actor, reason, at })),
      run: RUNS[listing.listing_type as ListingType],
      links: { self: pathOf(id), publisher, version: versionPath(id, shown.version) },
    });
  };
