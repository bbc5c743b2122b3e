/** Seconds' worth of events that may come at once. */
const BURST_S = 10;

/** Whether one more event is within the rate. `now` is in milliseconds. */
export function tokenBucket(per_second: number, now: () => number = () => performance.now()): () => boolean {
  let tokens = BURST_S * per_second;
  let filled_at = now();
  return () => {
    const at = now();
    tokens = Math.min(BURST_S * per_second, tokens + ((at - filled_at) / 1000) * per_second);
    filled_at = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
