import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { collectionsContract } from './contract.ts';
import { readCollection } from './shown.ts';

/** GET /api/marketplace/collections/{slug} */
export const getCollection =
  (deps: MarketplaceDeps): Handler<typeof collectionsContract.get> =>
  async ({ params: { slug } }) =>
    json(await readCollection(deps, slug));
