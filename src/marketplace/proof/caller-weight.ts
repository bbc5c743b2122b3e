import type { TierName } from '#accounts/quotas/tiers.ts';

/** The weight of a run by the account that ran it. Pure. */

export interface CallerFacts {
  created_ms: number;
  tier: TierName;
  /** Known networks of its registration and sign-ins (core/outbound/network-of.ts). */
  networks: readonly string[];
  /** Share of its counted runs in `HISTORY_DAYS` that goes to its most-used publisher, 0 to 1. */
  share: number;
  /** That publisher. */
  favourite: string;
  /** Days with runs, and the number of publishers whose listings it ran. */
  active_days: number;
  publishers: number;
}

export const DAY_MS = 86_400_000;
export const HISTORY_DAYS = 90;
const TIER_FACTOR: Record<TierName, number> = { free: 0.5, casual: 0.8, pro: 1 };
const GROWN_DAYS = 30;
const ESTABLISHED = { days: 60, active_days: 5, publishers: 3 };
/** Accounts with at least this share count as one cluster per publisher. */
const LOYAL_SHARE = 0.9;

/** Between 0 and 1. */
export const callerWeight = (
  { created_ms, tier, share }: Pick<CallerFacts, 'created_ms' | 'tier' | 'share'>,
  now_ms: number,
): number => (Math.min(1, Math.max(0, now_ms - created_ms) / (GROWN_DAYS * DAY_MS)) * TIER_FACTOR[tier]) / (1 + share);

/**
 * Whether the account has properties that fake accounts cannot gain quickly: a tier assigned by the operator; or age, activity
 * with several publishers, and a known network, which distinguishes it from others.
 */
export const isEstablished = (facts: CallerFacts, now_ms: number): boolean =>
  facts.tier !== 'free' ||
  (now_ms - facts.created_ms >= ESTABLISHED.days * DAY_MS &&
    facts.active_days >= ESTABLISHED.active_days &&
    facts.publishers >= ESTABLISHED.publishers &&
    facts.networks.length > 0);

/** Accounts of one cluster count as one caller; null for independent accounts. */
export const clusterOf = ({ share, favourite }: Pick<CallerFacts, 'share' | 'favourite'>): string | null =>
  share >= LOYAL_SHARE ? favourite : null;

/** A caller with its weight in scores. */
export interface Weighed {
  weight: number;
  established: boolean;
  cluster: string | null;
}

export const weigh = (facts: CallerFacts, now_ms: number): Omit<Weighed, 'cluster'> => ({
  weight: callerWeight(facts, now_ms),
  established: isEstablished(facts, now_ms),
});
