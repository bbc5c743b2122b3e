import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { trustedPublishersContract } from './contract.ts';
import { ownListing } from './own-listing.ts';
import { trustedOf } from './shapes.ts';
import { listTrusted } from './trusted-publishers.ts';

/** GET /api/marketplace/listings/{id}/trusted-publishers */
export const listTrustedPublishers =
  ({ db, limits }: Pick<MarketplaceDeps, 'db' | 'limits'>): Handler<typeof trustedPublishersContract.list> =>
  async ({ params: { id }, caller }) => {
    const listing = await ownListing(db, id, caller);
    const rows = await listTrusted(db, listing.id);
    return json({ items: rows.map((row) => trustedOf(row, limits.trusted_issuers)) });
  };
