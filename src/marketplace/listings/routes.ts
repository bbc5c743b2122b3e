import type { Routes } from '#core/http/operation.ts';
import type { listingsContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { getListing } from './get.ts';
import { getFile } from './get-file.ts';
import { getListingMd } from './get-md.ts';
import { getStats } from './get-stats.ts';
import { getVersion } from './get-version.ts';
import { listListings } from './list.ts';
import { searchMarketplace } from './search.ts';

export const listingsRoutes = (deps: MarketplaceDeps): Routes<typeof listingsContract> => ({
  list: listListings(deps),
  search: searchMarketplace(deps),
  getStats: getStats(deps),
  get: getListing(deps),
  getMd: getListingMd(deps),
  getVersion: getVersion(deps),
  getFile: getFile(deps),
});
