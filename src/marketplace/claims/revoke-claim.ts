import { nextCapabilitySeq, touchCapabilities } from '#catalog/identity/capabilities.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { groupOf, idsOf } from '#marketplace/moderation/group.ts';
import { addEntry } from '#marketplace/moderation/history.ts';
import { changeClaim, claimsOn } from './claims.ts';
import type { Claimant } from './make-claim.ts';
import { claimEnded, claimNotFound } from './refusals.ts';

/** Ends a claim for its owner or an operator. */
export async function revokeOwnership(
  { db, clock }: Pick<MarketplaceDeps, 'db' | 'clock'>,
  by: Claimant,
  { id, claim_id }: { id: string; claim_id: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await nextCapabilitySeq(trx);
    const group = await groupOf(trx, id);
    const claim = (await claimsOn(trx, idsOf(group.members))).find((claim) => claim.id === claim_id);
    const isOwn = claim?.publisher_user_id === by.user_id;
    if (claim === undefined || (!isOwn && !by.is_operator)) throw claimNotFound();
    if (claim.status !== 'verified' && claim.status !== 'pending') throw claimEnded(claim.status);
    const now = isoTime(clock.now());
    await changeClaim(trx, claim.id, { status: 'revoked', ended_at: now });
    if (claim.status === 'verified') {
      const { publisher_id } = claim;
      const actor = isOwn ? 'owner' : 'operator';
      await addEntry(trx, { capability_id: group.id, change: 'claim_revoked', actor, publisher_id, at: now });
      await touchCapabilities(trx, idsOf(group.members), clock.now());
    }
    const entry = {
      actor: by.user_id,
      origin: by.origin,
      action: 'marketplace.revoke_claim',
      target: group.id,
    } as const;
    await recordAudit(trx, { ...entry, detail: { claim_id } }, now);
  });
}
