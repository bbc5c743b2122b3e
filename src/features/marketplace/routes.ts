import type { Routes } from '../../platform/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import { deprecateListing } from './deprecate-listing.ts';
import type { MarketplaceDeps } from './deps.ts';
import { getFile } from './get-file.ts';
import { getListing } from './get-listing.ts';
import { getPublisher } from './get-publisher.ts';
import { getStats } from './get-stats.ts';
import { getVersion } from './get-version.ts';
import { listListings } from './list-listings.ts';
import { publishListing } from './publish-listing.ts';
import { restoreListing } from './restore-listing.ts';
import { searchMarketplace } from './search-marketplace.ts';
import { unpublishListing } from './unpublish-listing.ts';
import { yankListing } from './yank-listing.ts';

export const marketplaceRoutes = (deps: MarketplaceDeps): Routes<typeof marketplaceContract> => ({
  listListings: listListings(deps),
  searchMarketplace: searchMarketplace(deps),
  getStats: getStats(deps),
  getListing: getListing(deps),
  getVersion: getVersion(deps),
  getFile: getFile(deps),
  getPublisher: getPublisher(deps),
  publishListing: publishListing(deps),
  unpublishListing: unpublishListing(deps),
  yankListing: yankListing(deps),
  deprecateListing: deprecateListing(deps),
  restoreListing: restoreListing(deps),
});
