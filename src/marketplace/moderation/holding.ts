import type { Holding } from '#accounts/users/holding.ts';
import { nextCapabilitySeq, touchCapabilities } from '#catalog/identity/capabilities.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { claimsHeldBy, endClaimsOf } from '#marketplace/claims/claims.ts';
import { findPublisherOf } from '#marketplace/publishers/publishers.ts';
import { appealsOfUser, forgetAppealsOf } from './measures.ts';
import { forgetReportsOf, reportsOf } from './reports.ts';
import { appealShown, reportShown } from './shapes.ts';

/**
 * Reports, appeals and claims of an account. Deleting the account deletes their text and ends its claims. Decisions stay, because
 * they concern others. Erased before published listings, because decisions take change numbers in this order.
 */
export const moderationHolding = ({ clock }: { clock: Clock }): Holding => ({
  name: 'moderation',
  read: async (db, { user_id }) => {
    const publisher = await findPublisherOf(db, user_id);
    return {
      reports: (await reportsOf(db, user_id)).map(reportShown),
      appeals: (await appealsOfUser(db, user_id)).map(appealShown),
      claims: publisher === undefined ? [] : await claimsHeldBy(db, publisher.id),
    };
  },
  release: async (trx, { user_id }) => {
    await nextCapabilitySeq(trx);
    const now = isoTime(clock.now());
    await forgetReportsOf(trx, user_id);
    await forgetAppealsOf(trx, user_id, now);
    const publisher = await findPublisherOf(trx, user_id);
    if (publisher === undefined) return;
    await touchCapabilities(trx, await endClaimsOf(trx, publisher.id, now), clock.now());
  },
});
