import { type Handler, json } from '#core/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { unfeature } from './curate.ts';
import { readFeatured } from './shown.ts';
import { operatorBy } from '#marketplace/moderation/operators.ts';

/** DELETE /api/marketplace/featured/{id} */
export const unfeatureListing =
  (deps: MarketplaceDeps): Handler<typeof marketplaceContract.unfeatureListing> =>
  async ({ params: { id }, caller, origin }) => {
    await unfeature(deps, operatorBy({ caller, origin }), id);
    await deps.index.refresh();
    return json({ items: await readFeatured(deps) });
  };
