import { type Handler, json } from '#core/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { feature } from './curate.ts';
import { readFeatured } from './shown.ts';
import { operatorBy } from '#marketplace/moderation/operators.ts';

/** PUT /api/marketplace/featured/{id} */
export const featureListing =
  (deps: MarketplaceDeps): Handler<typeof marketplaceContract.featureListing> =>
  async ({ params: { id }, body, caller, origin }) => {
    const stands_id = await feature(deps, operatorBy({ caller, origin }), { ...body, id });
    await deps.index.refresh();
    return json((await readFeatured(deps)).find((it) => it.id === stands_id));
  };
