import { type Handler, json } from '#core/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { readModeration } from './read-moderation.ts';

/** GET /api/marketplace/listings/{id}/moderation */
export const getModeration =
  (deps: Pick<MarketplaceDeps, 'db' | 'engine'>): Handler<typeof marketplaceContract.getModeration> =>
  async ({ params: { id } }) =>
    json(await readModeration(deps, id));
