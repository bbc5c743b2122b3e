import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Caller } from '#core/http/caller.ts';
import { type RateLimit, rateLimitHeaders, refusalHeaders } from '#core/limits/rate-limit-headers.ts';
import type { Problem } from '#core/problem/problem.ts';
import { TIERS, tierNamed } from './tiers.ts';
import { requireProven } from './unproven.ts';

/** LLM requests of a user per UTC day: the only SQL that uses `quota_days`. */

type Db = Kysely<Schema>;
/** Called for each event, for metrics. */
export type CountQuota = (event: 'taken' | 'refused' | 'given_back') => void;
type Holder = Pick<Caller, 'user_id' | 'tier'>;

export interface Quota {
  /** Null is unlimited. Requests are counted anyway. */
  limit: number | null;
  used: number;
  resets_at: string;
}

const DAY_MS = 86_400_000;
const DAYS_KEPT = 32;

/** The UTC day as stored: `2026-11-20`. */
export const dayOf = (now_ms: number): string => isoTime(now_ms).slice(0, 10);

/**
 * Counts one request before it is made, in a single statement, so that no number of processes exceeds the limit. Throws
 * a 429 `users.quota_exceeded` (`quota_exceeded`) over the tier's limit, and a 403 `users.proof_required` for an unproven account.
 */
export async function takeRequest(db: Db, holder: Holder, now_ms: number, count?: CountQuota): Promise<Quota> {
  await requireProven(db, holder.user_id);
  const limit = limitOf(holder.tier);
  const day = dayOf(now_ms);
  const row = await db
    .insertInto('quota_days')
    .values({ user_id: holder.user_id, day, used: 1 })
    .onConflict((conflict) => {
      const counted = conflict
        .columns(['user_id', 'day'])
        .doUpdateSet((eb) => ({ used: eb('quota_days.used', '+', 1) }));
      return limit === null ? counted : counted.where('quota_days.used', '<', limit);
    })
    .returning('used')
    .executeTakeFirst();
  count?.(row === undefined ? 'refused' : 'taken');
  if (row === undefined) throw exceeded(limit as number, now_ms);
  if (row.used === 1) await forgetOldDays(db, holder.user_id, now_ms);
  return quotaOf(limit, row.used, now_ms);
}

/** Refunds a request that the provider never started. `day` is the day it was counted on. */
export async function giveBack(db: Db, user_id: string, day: string, count?: CountQuota): Promise<void> {
  count?.('given_back');
  await db
    .updateTable('quota_days')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('user_id', '=', user_id)
    .where('day', '=', day)
    .where('used', '>', 0)
    .execute();
}

export async function readQuota(db: Db, { user_id, tier }: Holder, now_ms: number): Promise<Quota> {
  const row = await db
    .selectFrom('quota_days')
    .select('used')
    .where('user_id', '=', user_id)
    .where('day', '=', dayOf(now_ms))
    .executeTakeFirst();
  return quotaOf(limitOf(tier), row?.used ?? 0, now_ms);
}

/** The stored days, oldest first. */
export const listQuotaDays = (db: Db, user_id: string): Promise<{ day: string; used: number }[]> =>
  db.selectFrom('quota_days').select(['day', 'used']).where('user_id', '=', user_id).orderBy('day').execute();

/** RateLimit headers for a counted request; none if unlimited. */
export const quotaHeaders = ({ limit, used }: Quota, now_ms: number): Record<string, string> =>
  limit === null ? {} : rateLimitHeaders(policyOf(limit, used, now_ms));

/** An unknown tier has the limit of the lowest one. */
const limitOf = (tier: string): number | null => TIERS[tierNamed(tier) ?? 'free'].llm_requests_per_day;

const nextDay = (nowMs: number): number => (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;

const quotaOf = (limit: number | null, used: number, nowMs: number): Quota => ({
  limit,
  used,
  resets_at: isoTime(nextDay(nowMs)),
});

const policyOf = (count: number, used: number, nowMs: number): RateLimit => ({
  policy: 'llm-requests',
  count,
  used,
  window_ms: DAY_MS,
  wait_ms: nextDay(nowMs) - nowMs,
});

const exceeded = (limit: number, nowMs: number): Problem =>
  accountsProblem(
    'users.quota_exceeded',
    `Daily LLM quota exhausted (${limit} requests). It resets at ${isoTime(nextDay(nowMs))}. Upgrade your ` +
      'tier for a higher quota.',
    { reason: 'quota_exceeded', headers: refusalHeaders(policyOf(limit, limit, nowMs)) },
  );

/** Once per user and day, so that the table does not grow forever. */
async function forgetOldDays(db: Db, userId: string, nowMs: number): Promise<void> {
  const oldest = dayOf(nowMs - DAYS_KEPT * DAY_MS);
  await db.deleteFrom('quota_days').where('user_id', '=', userId).where('day', '<', oldest).execute();
}
