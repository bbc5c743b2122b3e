import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { findPublisher } from '#marketplace/publishers/publishers.ts';
import type { claimsContract } from './contract.ts';
import { claimShown } from './shapes.ts';
import { verifyOwnership } from './verify-claim.ts';

/** POST /api/marketplace/listings/{id}/claims/{claim_id}/verify */
export const verifyClaim =
  (deps: MarketplaceDeps): Handler<typeof claimsContract.verify> =>
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
