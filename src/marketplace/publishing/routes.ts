import type { Routes } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { checkListing } from './check.ts';
import type { publishingContract } from './contract.ts';
import { deprecateListing } from './deprecate.ts';
import { publishListing } from './publish.ts';
import { restoreListing } from './restore.ts';
import { unpublishListing } from './unpublish.ts';
import { yankListing } from './yank.ts';

export const publishingRoutes = (deps: MarketplaceDeps): Routes<typeof publishingContract> => ({
  check: checkListing(deps),
  publish: publishListing(deps),
  unpublish: unpublishListing(deps),
  yank: yankListing(deps),
  deprecate: deprecateListing(deps),
  restore: restoreListing(deps),
});
