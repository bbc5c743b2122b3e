import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { operatorBy } from '#marketplace/moderation/operators.ts';
import type { featuredContract } from './contract.ts';
import { feature } from './curate.ts';
import { readFeatured } from './shown.ts';

/** PUT /api/marketplace/featured/{id} */
export const featureListing =
  (deps: MarketplaceDeps): Handler<typeof featuredContract.add> =>
  async ({ params: { id }, body, caller, origin }) => {
    const standsId = await feature(deps, operatorBy({ caller, origin }), { ...body, id });
    await deps.index.refresh();
    return json((await readFeatured(deps)).find((entry) => entry.id === standsId));
  };
