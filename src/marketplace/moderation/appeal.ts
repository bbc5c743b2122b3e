import { type Handler, json } from '#core/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { appeal } from './make-appeal.ts';
import { appealShown } from './shapes.ts';

/** POST /api/marketplace/listings/{id}/appeals */
export const appealListing =
  (deps: MarketplaceDeps): Handler<typeof marketplaceContract.appealListing> =>
  async ({ params: { id }, body, caller, origin }) =>
    json(appealShown(await appeal(deps, { actor: caller?.user_id ?? '', origin }, { ...body, id })), { status: 201 });
