import { type Handler, json } from '#core/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { readFeatured } from './shown.ts';

/** GET /api/marketplace/featured */
export const listFeatured =
  (deps: MarketplaceDeps): Handler<typeof marketplaceContract.listFeatured> =>
  async () =>
    json({ items: await readFeatured(deps) });
