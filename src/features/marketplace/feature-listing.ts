import { type Handler, json } from '../../platform/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { feature } from './featured/curate.ts';
import { readFeatured } from './featured/shown.ts';
import { operatorBy } from './moderation/operators.ts';

/** PUT /api/marketplace/featured/{id} */
export const featureListing =
  (deps: MarketplaceDeps): Handler<typeof marketplaceContract.featureListing> =>
  async ({ params: { id }, body, caller, origin }) => {
    const stands_id = await feature(deps, operatorBy({ caller, origin }), { ...body, id });
    await deps.index.refresh();
    return json((await readFeatured(deps)).find((it) => it.id === stands_id));
  };
