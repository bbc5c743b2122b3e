import { type Handler, json } from '../../platform/http/operation.ts';
import { claimShown } from './claims/shapes.ts';
import { verifyOwnership } from './claims/verify-claim.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { findPublisher } from './publishers.ts';

/** POST /api/marketplace/listings/{id}/claims/{claim_id}/verify */
export const verifyClaim =
  (deps: MarketplaceDeps): Handler<typeof marketplaceContract.verifyClaim> =>
  async ({ params: { id, claim_id }, body, caller, origin }) => {
    const claim = await verifyOwnership(
      deps,
      { actor: caller?.user_id ?? '', origin },
      { id, claim_id, signed: body.signed },
    );
    await deps.index.refresh();
    const publisher = await findPublisher(deps.db, claim.publisher_id);
    return json(claimShown(claim, { id: claim.publisher_id, name: publisher?.name ?? '' }));
  };
