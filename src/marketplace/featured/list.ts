import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { featuredContract } from './contract.ts';
import { readFeatured } from './shown.ts';

/** GET /api/marketplace/featured */
export const listFeatured =
  (deps: MarketplaceDeps): Handler<typeof featuredContract.list> =>
  async () =>
    json({ items: await readFeatured(deps) });
