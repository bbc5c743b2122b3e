/**
 * The headers RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers-10: structured fields with the
 * policy's name, its quota `q` and window `w`, the remaining `r`, and `t` seconds until there is more.
 */
export interface RateLimit {
  /** Lower-case letters, digits and hyphens. */
  policy: string;
  count: number;
  window_ms: number;
  used: number;
  /** Time until there is more. */
  wait_ms: number;
}

export const rateLimitHeaders = ({ policy, count, window_ms, used, wait_ms }: RateLimit): Record<string, string> => ({
  'ratelimit-policy': `"${policy}";q=${count};w=${Math.ceil(window_ms / 1_000)}`,
  ratelimit: `"${policy}";r=${Math.max(0, count - used)};t=${secondsOf(wait_ms)}`,
});

/** Headers of a 429. `Retry-After` equals `t`, as the draft requires. */
export const refusalHeaders = (rateLimit: RateLimit): Record<string, string> => ({
  ...rateLimitHeaders(rateLimit),
  'retry-after': `${secondsOf(rateLimit.wait_ms)}`,
});

/** At least 1, so that the wait is always long enough. */
const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));
