import { type Handler, json } from '#core/http/operation.ts';
import { standingVersion } from '#marketplace/moderation/standing.ts';
import type { listingsContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { detailOf } from './shapes.ts';

/** GET /api/marketplace/listings/{id}/versions/{version} */
export const getVersion =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof listingsContract.getVersion> =>
  async ({ params: { id, version } }) => {
    const { listing, row } = await standingVersion(db, id, version);
    return json(detailOf(listing, row));
  };
