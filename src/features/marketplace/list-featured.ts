import { type Handler, json } from '../../platform/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { readFeatured } from './featured/shown.ts';

/** GET /api/marketplace/featured */
export const listFeatured =
  (deps: MarketplaceDeps): Handler<typeof marketplaceContract.listFeatured> =>
  async () =>
    json({ items: await readFeatured(deps) });
