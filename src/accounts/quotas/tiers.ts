import type { Scope } from '#core/http/caller.ts';

/** What each tier may do. `dev` is an alias of `pro`. */
export const TIERS = {
  free: { llm_requests_per_day: 100, scopes: ['read', 'write'] },
  casual: { llm_requests_per_day: 500, scopes: ['read', 'write'] },
  pro: { llm_requests_per_day: null, scopes: ['read', 'write', 'admin'] },
} as const satisfies Record<string, { llm_requests_per_day: number | null; scopes: readonly Scope[] }>;

export type TierName = keyof typeof TIERS;
export const TIER_NAMES = Object.keys(TIERS) as TierName[];

/** Returns the tier with this name, or null. */
export const tierNamed = (name: string): TierName | null =>
  name === 'dev' ? 'pro' : Object.hasOwn(TIERS, name) ? (name as TierName) : null;
