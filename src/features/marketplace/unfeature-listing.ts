import { type Handler, json } from '../../platform/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { unfeature } from './featured/curate.ts';
import { readFeatured } from './featured/shown.ts';
import { operatorBy } from './moderation/operators.ts';

/** DELETE /api/marketplace/featured/{id} */
export const unfeatureListing =
  (deps: MarketplaceDeps): Handler<typeof marketplaceContract.unfeatureListing> =>
  async ({ params: { id }, caller, origin }) => {
    await unfeature(deps, operatorBy({ caller, origin }), id);
    await deps.index.refresh();
    return json({ items: await readFeatured(deps) });
  };
