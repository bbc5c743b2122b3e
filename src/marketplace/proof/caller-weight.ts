import type { TierName } from '#accounts/quotas/tiers.ts';

/** How much a run says because of who had it run. Pure. */

export interface CallerFacts {
  created_ms: number;
  tier: TierName;
  /** From which it was made and has signed in (core/outbound/network-of.ts), as far as they are known. */
  networks: readonly string[];
  /** Of their counted runs in `HISTORY_DAYS`: how much goes to the one publisher that they run most, 0 to 1. */
  share: number;
  /** That publisher. */
  favourite: string;
  /** Days with a run, and publishers whose things they ran. */
  active_days: number;
  publishers: number;
}

export const DAY_MS = 86_400_000;
export const HISTORY_DAYS = 90;
const TIER_FACTOR: Record<TierName, number> = { free: 0.5, casual: 0.8, pro: 1 };
const GROWN_DAYS = 30;
const ESTABLISHED = { days: 60, active_days: 5, publishers: 3 };
/** From this share on an account says no more than all others together that run the same publisher's things. */
const LOYAL_SHARE = 0.9;

/** Between 0 and 1. */
export const callerWeight = (
  { created_ms, tier, share }: Pick<CallerFacts, 'created_ms' | 'tier' | 'share'>,
  now_ms: number,
): number => (Math.min(1, Math.max(0, now_ms - created_ms) / (GROWN_DAYS * DAY_MS)) * TIER_FACTOR[tier]) / (1 + share);

/**
 * What a crowd of accounts cannot be made to look like quickly: of a tier that the operator gave, or old, busy with the things
 * of many publishers, and from a network that is known, so that it can be told from others.
 */
export const isEstablished = (facts: CallerFacts, now_ms: number): boolean =>
  facts.tier !== 'free' ||
  (now_ms - facts.created_ms >= ESTABLISHED.days * DAY_MS &&
    facts.active_days >= ESTABLISHED.active_days &&
    facts.publishers >= ESTABLISHED.publishers &&
    facts.networks.length > 0);

/** Accounts of one cluster count as one caller; null for those that stand for themselves. */
export const clusterOf = ({ share, favourite }: Pick<CallerFacts, 'share' | 'favourite'>): string | null =>
  share >= LOYAL_SHARE ? favourite : null;

/** A caller as scores see it. */
export interface Weighed {
  weight: number;
  established: boolean;
  cluster: string | null;
}

export const weigh = (facts: CallerFacts, now_ms: number): Omit<Weighed, 'cluster'> => ({
  weight: callerWeight(facts, now_ms),
  established: isEstablished(facts, now_ms),
});
