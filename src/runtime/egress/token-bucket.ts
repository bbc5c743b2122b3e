/** Seconds' worth of events that may come at once. */
const BURST_S = 10;

/** Whether one more event is within the rate. `now` is in milliseconds. */
export function tokenBucket(per_second: number, now: () => number = () => performance.now()): () => boolean {
  let tokens = BURST_S * per_second;
  let filledAt = now();
  return () => {
    const at = now();
    tokens = Math.min(BURST_S * per_second, tokens + ((at - filledAt) / 1000) * per_second);
    filledAt = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
