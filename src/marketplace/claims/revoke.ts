import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { claimsContract } from './contract.ts';
import { revokeOwnership } from './revoke-claim.ts';

/** DELETE /api/marketplace/listings/{id}/claims/{claim_id} */
export const revokeClaim =
  (deps: MarketplaceDeps): Handler<typeof claimsContract.revoke> =>
  async ({ params, caller, origin }) => {
    const by = { user_id: caller?.user_id ?? '', is_operator: caller?.is_operator === true, origin };
    await revokeOwnership(deps, by, params);
    await deps.index.refresh();
    return json({ id: params.claim_id, status: 'revoked' });
  };
