import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { operatorBy } from '#marketplace/moderation/operators.ts';
import { save } from './change.ts';
import type { collectionsContract } from './contract.ts';
import { readCollection } from './shown.ts';

/** PUT /api/operator/collections/{slug} */
export const saveOperatorCollection =
  (deps: MarketplaceDeps): Handler<typeof collectionsContract.save> =>
  async ({ params: { slug }, body, caller, origin }) => {
    await save(deps, operatorBy({ caller, origin }), { ...body, slug });
    return json(await readCollection(deps, slug));
  };
