import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { publishingContract } from './contract.ts';
import { withdrawnAnswer } from './withdrawn-answer.ts';

/** POST /api/marketplace/listings/{id}/unpublish */
export const unpublishListing =
  (deps: MarketplaceDeps): Handler<typeof publishingContract.unpublish> =>
  async ({ params: { id }, body, caller, origin }) =>
    json(await withdrawnAnswer(deps, { ...caller, origin }, { id, change: 'unpublish', reason: body.reason }));
