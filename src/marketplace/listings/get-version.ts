import { type Handler, json } from '#core/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { detailOf } from './shapes.ts';
import { standingVersion } from '#marketplace/moderation/standing.ts';

/** GET /api/marketplace/listings/{id}/versions/{version} */
export const getVersion =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof marketplaceContract.getVersion> =>
  async ({ params: { id, version } }) => {
    const { listing, row } = await standingVersion(db, id, version);
    return json(detailOf(listing, row));
  };
