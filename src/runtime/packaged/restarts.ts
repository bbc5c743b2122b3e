import type { Clock } from '#core/clock/clock.ts';
import type { McpFailure } from '#core/mcp/failure.ts';
import type { StdioEnd } from '#core/mcp/stdio-session.ts';

/**
 * How long a server that has just ended by its own fault waits for its next start. A box costs other users more than a call, so a
 * server that crashes or floods again and again is started less and less often.
 */
interface Restarts {
  /** Its box ended during a call, or could not be started. `by_limit`: the service or the kernel ended it. */
  failed(key: string, by_limit: boolean): void;
  /** It answered. */
  worked(key: string): void;
  /** Milliseconds until it may be started; 0 for now. */
  pauseOf(key: string): number;
}

/** Whether the server was ended for what it used or wrote. */
export const wasLimited = ({ reason }: Pick<McpFailure, 'reason'>, end: Pick<StdioEnd, 'reason'> | null): boolean =>
  reason === 'out_of_memory' || reason === 'too_large' || end?.reason === 'failed';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** After this time without a failure, earlier ones no longer count. */
const FORGET_MS = 60_000;
const MOST_KEYS = 10_000;

/** A crash may be anything, so pauses begin with the second. A flood or a bomb has cost others already: the first counts as three. */
const LIMIT_COUNTS = 3;

interface Failures {
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
    failed: (key, byLimit) => {
      const count = (current(key)?.count ?? 0) + (byLimit ? LIMIT_COUNTS : 1);
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
