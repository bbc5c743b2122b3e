import type { Routes } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { identityContract } from './contract.ts';
import { mergeListing } from './merge.ts';
import { splitListing } from './split.ts';

export const identityRoutes = (deps: MarketplaceDeps): Routes<typeof identityContract> => ({
  merge: mergeListing(deps),
  split: splitListing(deps),
});
