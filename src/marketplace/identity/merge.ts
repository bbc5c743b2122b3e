import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { operatorBy } from '#marketplace/moderation/operators.ts';
import type { identityContract } from './contract.ts';
import { judgeAudited, mergeCapabilities } from './judgements.ts';

/** POST /api/marketplace/listings/{id}/merge */
export const mergeListing =
  (deps: Pick<MarketplaceDeps, 'db' | 'engine' | 'clock'>): Handler<typeof identityContract.merge> =>
  async ({ params: { id }, body, caller, origin }) =>
    json(
      await judgeAudited(
        deps,
        operatorBy({ caller, origin }),
        { action: 'marketplace.merge', target: id, reason: body.reason },
        async (db, order) => {
          const [one] = await mergeCapabilities(db, id, body.with, order);
          return one;
        },
      ),
    );
