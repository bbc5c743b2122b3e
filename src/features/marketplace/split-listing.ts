import { type Handler, json } from '../../platform/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { splitCapability } from './identity/judge-as-operator.ts';
import { judged } from './judged.ts';
import { operatorBy } from './moderation/operators.ts';

/** POST /api/marketplace/listings/{id}/split */
export const splitListing =
  (deps: Pick<MarketplaceDeps, 'db' | 'engine' | 'clock'>): Handler<typeof marketplaceContract.splitListing> =>
  async ({ params: { id }, body, caller, origin }) =>
    json(
      await judged(
        deps,
        operatorBy({ caller, origin }),
        { action: 'marketplace.split', target: id, reason: body.reason },
        (db, order) => splitCapability(db, id, body.member, order),
      ),
    );
