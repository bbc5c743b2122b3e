import type { Kysely } from 'kysely';
import { type CountQuota, dayOf, giveBack, takeRequest } from '#accounts/quotas/quota.ts';
import { findUser } from '#accounts/users/users.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { OWN_SHARE, type Share, userShare } from '#core/fair-queue/share.ts';
import type { RunCaller } from './capability.ts';

/** On whose behalf something runs, and whose LLM quota it uses. */

/** Looks things up, which is never counted. */
export const uncounted = <U extends string | null>(user_id: U): RunCaller & { user_id: U } => ({
  user_id,
  share: user_id === null ? OWN_SHARE : userShare(user_id),
  charge: async () => {},
  refund: async () => {},
});

/** The service itself or its operator's command line, which have no quota. */
export const OPERATOR: RunCaller = uncounted(null);

export interface CountedDeps {
  db: Kysely<Schema>;
  clock: Clock;
  countQuota?: CountQuota | undefined;
}

interface CountedFor {
  user_id: string;
  share: Share;
  /** The UTC day on which the request was counted; null if it was not. */
  day?: string | null;
  /** Keeps the day, in the transaction that counts. */
  keep?(trx: Kysely<Schema>, day: string | null): Promise<void>;
}

/** A run is one LLM request of its user's day, whatever it takes and however often it is begun. */
export function counted(
  { db, clock, countQuota }: CountedDeps,
  { user_id, share, day = null, keep }: CountedFor,
): RunCaller {
  let countedOn = day;
  /** Together, so that no crash counts a request twice. */
  const change = async (next: string | null, count: (trx: Kysely<Schema>) => Promise<unknown>): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      await count(trx);
      await keep?.(trx, next);
    });
    countedOn = next;
  };
  return {
    user_id,
    share,
    charge: async () => {
      if (countedOn !== null) return;
      const tier = (await findUser(db, user_id))?.tier ?? 'free';
      const nowMs = clock.now();
      await change(dayOf(nowMs), (trx) => takeRequest(trx, { user_id, tier }, nowMs, countQuota));
    },
    refund: async () => {
      if (countedOn === null) return;
      const on = countedOn;
      await change(null, (trx) => giveBack(trx, user_id, on, countQuota));
    },
  };
}
