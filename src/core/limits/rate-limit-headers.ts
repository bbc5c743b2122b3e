/**
 * RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers-10: structured fields whose items are the
 * policy's name, with `q` requests in `w` seconds, `r` of them left, and more in `t` seconds.
 */
export interface RateLimit {
  /** Lower case letters, digits and hyphens. */
  policy: string;
  count: number;
  window_ms: number;
  used: number;
  /** Until there is more. */
  wait_ms: number;
}

export const rateLimitHeaders = ({ policy, count, window_ms, used, wait_ms }: RateLimit): Record<string, string> => ({
  'ratelimit-policy': `"${policy}";q=${count};w=${Math.ceil(window_ms / 1_000)}`,
  ratelimit: `"${policy}";r=${Math.max(0, count - used)};t=${secondsOf(wait_ms)}`,
});

/** Of an answer that refuses: the same moment as `t`, as the draft asks. */
export const refusalHeaders = (rateLimit: RateLimit): Record<string, string> => ({
  ...rateLimitHeaders(rateLimit),
  'retry-after': `${secondsOf(rateLimit.wait_ms)}`,
});

/** Never 0: whoever waits this long has waited long enough. */
const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));
