import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { operatorBy } from '#marketplace/moderation/operators.ts';
import type { featuredContract } from './contract.ts';
import { unfeature } from './curate.ts';
import { readFeatured } from './shown.ts';

/** DELETE /api/marketplace/featured/{id} */
export const unfeatureListing =
  (deps: MarketplaceDeps): Handler<typeof featuredContract.remove> =>
  async ({ params: { id }, query: { reason }, caller, origin }) => {
    await unfeature(deps, operatorBy({ caller, origin }), id, reason);
    await deps.index.refresh();
    return json({ items: await readFeatured(deps) });
  };
