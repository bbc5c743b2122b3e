import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { moderationContract } from './contract.ts';
import { appeal } from './make-appeal.ts';
import { appealShown } from './shapes.ts';

/** POST /api/marketplace/listings/{id}/appeals */
export const appealListing =
  (deps: MarketplaceDeps): Handler<typeof moderationContract.appeal> =>
  async ({ params: { id }, body, caller, origin }) =>
    json(appealShown(await appeal(deps, { actor: caller?.user_id ?? '', origin }, { ...body, id })), { status: 201 });
