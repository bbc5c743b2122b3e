import { type Handler, json } from '#core/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { withdrawnAnswer } from './withdrawn-answer.ts';

/** POST /api/marketplace/listings/{id}/unpublish */
export const unpublishListing =
  (deps: MarketplaceDeps): Handler<typeof marketplaceContract.unpublishListing> =>
  async ({ params: { id }, body, caller, origin }) =>
    json(await withdrawnAnswer(deps, { ...caller, origin }, { id, change: 'unpublish', reason: body.reason }));
