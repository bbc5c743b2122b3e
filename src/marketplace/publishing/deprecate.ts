import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { publishingContract } from './contract.ts';
import { withdrawnAnswer } from './withdrawn-answer.ts';

/** POST /api/marketplace/listings/{id}/deprecate */
export const deprecateListing =
  (deps: MarketplaceDeps): Handler<typeof publishingContract.deprecate> =>
  async ({ params: { id }, body, caller, origin }) =>
    json(
      await withdrawnAnswer(
        deps,
        { ...caller, origin },
        { id, change: 'deprecate', reason: body.reason, version: body.version },
      ),
    );
