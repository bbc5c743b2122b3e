import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { claimsContract } from './contract.ts';
import { makeClaim } from './make-claim.ts';
import { CLAIM_FILE } from './place.ts';
import { toDoShown } from './shapes.ts';

/** POST /api/marketplace/listings/{id}/claims */
export const claimListing =
  (deps: MarketplaceDeps): Handler<typeof claimsContract.create> =>
  async ({ params: { id }, body, caller }) => {
    const by = { user_id: caller?.user_id ?? '', is_operator: caller?.is_operator === true };
    const { claim, publisher, place } = await makeClaim(deps, by, { ...body, id });
    const path = place.folder === '' ? CLAIM_FILE : `${place.folder}/${CLAIM_FILE}`;
    return json(toDoShown(deps.base_url, claim, publisher, path), { status: 201 });
  };
