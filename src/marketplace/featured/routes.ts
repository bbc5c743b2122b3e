import type { Routes } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { featureListing } from './add.ts';
import type { featuredContract } from './contract.ts';
import { listFeatured } from './list.ts';
import { unfeatureListing } from './remove.ts';

export const featuredRoutes = (deps: MarketplaceDeps): Routes<typeof featuredContract> => ({
  list: listFeatured(deps),
  add: featureListing(deps),
  remove: unfeatureListing(deps),
});
