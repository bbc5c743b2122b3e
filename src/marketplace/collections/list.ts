import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { collectionsContract } from './contract.ts';
import { readCollections } from './shown.ts';

/** GET /api/marketplace/collections */
export const listCollections =
  (deps: MarketplaceDeps): Handler<typeof collectionsContract.list> =>
  async () =>
    json({ items: await readCollections(deps) });
