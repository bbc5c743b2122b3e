import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { moderationContract } from './contract.ts';
import { readModeration } from './read-moderation.ts';

/** GET /api/marketplace/listings/{id}/moderation */
export const getModeration =
  (deps: Pick<MarketplaceDeps, 'db' | 'engine'>): Handler<typeof moderationContract.get> =>
  async ({ params: { id } }) =>
    json(await readModeration(deps, id));
