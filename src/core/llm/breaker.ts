/** Stops asking a model that keeps failing, so that callers do not wait for it, and tries again after a while. */
export interface Breaker {
  /** If true, the caller must ask and report with `ended`. After a rest, a single caller may ask. */
  mayAsk(): boolean;
  ended(outcome: Outcome): void;
}

/** `wait_ms` is how long the model asked to be left alone; null if it did not say. */
type Outcome = { ok: true } | { ok: false; wait_ms: number | null };

interface BreakerOptions {
  /** In ms; for tests. */
  now?: () => number;
  /** Failures in a row that it takes. */
  failures?: number;
  /** The first rest. It doubles with each failed try after one. */
  rest_ms?: number;
  longest_ms?: number;
}

export function breaker({
  now = () => performance.now(),
  failures: most = 3,
  rest_ms = 15_000,
  longest_ms = 600_000,
}: BreakerOptions = {}): Breaker {
  let failures = 0;
  let until = Number.NEGATIVE_INFINITY;
  let isTrying = false;
  return {
    mayAsk: () => {
      if (now() < until || isTrying) return false;
      isTrying = failures >= most;
      return true;
    },
    ended: (outcome) => {
      isTrying = false;
      if (outcome.ok) {
        failures = 0;
        until = Number.NEGATIVE_INFINITY;
        return;
      }
      failures++;
      const own = failures < most ? 0 : rest_ms * 2 ** Math.min(failures - most, 16);
      until = Math.max(until, now() + Math.min(longest_ms, Math.max(own, outcome.wait_ms ?? 0)));
    },
  };
}
