import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { trustedPublishersContract } from './contract.ts';
import { ownListing } from './own-listing.ts';
import { trustNotFound } from './refusals.ts';
import { deleteTrusted } from './trusted-publishers.ts';

/** DELETE /api/marketplace/listings/{id}/trusted-publishers/{trusted_id} */
export const deleteTrustedPublisher =
  ({ db, clock }: Pick<MarketplaceDeps, 'db' | 'clock'>): Handler<typeof trustedPublishersContract.delete> =>
  async ({ params: { id, trusted_id }, caller, origin }) => {
    const listing = await ownListing(db, id, caller);
    await db.transaction().execute(async (trx) => {
      if (!(await deleteTrusted(trx, listing.id, trusted_id))) throw trustNotFound();
      const entry = { actor: caller.user_id, origin, action: 'marketplace.distrust', target: listing.id } as const;
      await recordAudit(trx, { ...entry, detail: { trusted_publisher: trusted_id } }, isoTime(clock.now()));
    });
    return json({ id: trusted_id, status: 'deleted' });
  };
