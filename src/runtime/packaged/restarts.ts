import type { Clock } from '#core/clock/clock.ts';

/**
 * How long a server that has just ended by its own fault waits for its next start. A box costs other users more than a call, so a
 * server that crashes or floods again and again is started less and less often.
 */
interface Restarts {
  /** Its box ended during a call, or could not be started. */
  failed(key: string): void;
  /** It answered. */
  worked(key: string): void;
  /** Milliseconds until it may be started; 0 for now. */
  pauseOf(key: string): number;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** After this time without a failure, earlier ones no longer count. */
const FORGET_MS = 60_000;
const MOST_KEYS = 10_000;

interface Failures {
  /** One failure may be anything; pauses begin with the second. */
  count: number;
  last_ms: number;
}

export function openRestarts(clock: Pick<Clock, 'now'>): Restarts {
  const known = new Map<string, Failures>();
  const current = (key: string): Failures | null => {
    const found = known.get(key);
    if (found === undefined) return null;
    if (clock.now() - found.last_ms < FORGET_MS) return found;
    known.delete(key);
    return null;
  };
  return {
    failed: (key) => {
      const count = (current(key)?.count ?? 0) + 1;
      // The oldest come first.
      known.delete(key);
      known.set(key, { count, last_ms: clock.now() });
      if (known.size > MOST_KEYS) known.delete(known.keys().next().value as string);
    },
    worked: (key) => void known.delete(key),
    pauseOf: (key) => {
      const found = current(key);
      if (found === null || found.count < 2) return 0;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (found.count - 2), LONGEST_PAUSE_MS);
      return Math.max(0, found.last_ms + pauseMs - clock.now());
    },
  };
}
