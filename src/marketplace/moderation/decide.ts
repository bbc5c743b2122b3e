import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { moderationContract } from './contract.ts';
import { decide } from './make-decision.ts';
import { operatorBy } from './operators.ts';
import { readModeration } from './read-moderation.ts';

/** POST /api/marketplace/listings/{id}/decisions */
export const decideListing =
  (deps: MarketplaceDeps): Handler<typeof moderationContract.decide> =>
  async ({ params: { id }, body, caller, origin }) => {
    const { entry_id, changed } = await decide(deps, operatorBy({ caller, origin }), { ...body, id });
    await Promise.all([deps.published_cache.refresh(), deps.index.refresh()]);
    return json({ entry_id, changed, moderation: await readModeration(deps, id) }, { status: 201 });
  };
