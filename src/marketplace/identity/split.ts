import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { operatorBy } from '#marketplace/moderation/operators.ts';
import type { identityContract } from './contract.ts';
import { judgeAudited, splitCapability } from './judgements.ts';

/** POST /api/marketplace/listings/{id}/split */
export const splitListing =
  (deps: Pick<MarketplaceDeps, 'db' | 'engine' | 'clock'>): Handler<typeof identityContract.split> =>
  async ({ params: { id }, body, caller, origin }) =>
    json(
      await judgeAudited(
        deps,
        operatorBy({ caller, origin }),
        { action: 'marketplace.split', target: id, reason: body.reason },
        (db, order) => splitCapability(db, id, body.member, order),
      ),
    );
