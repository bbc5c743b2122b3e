import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { operatorBy } from '#marketplace/moderation/operators.ts';
import { remove } from './change.ts';
import type { collectionsContract } from './contract.ts';
import { readCollections } from './shown.ts';

/** DELETE /api/operator/collections/{slug} */
export const removeCollection =
  (deps: MarketplaceDeps): Handler<typeof collectionsContract.remove> =>
  async ({ params: { slug }, query, caller, origin }) => {
    await remove(deps, operatorBy({ caller, origin }), { ...query, slug });
    return json({ items: await readCollections(deps) });
  };
