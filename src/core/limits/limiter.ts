import type { Clock } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import { coreProblem } from '#core/errors.ts';
import type { Limiter } from '#core/http/gates.ts';
import type { Problem } from '#core/problem/problem.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import { clientBucket } from './client-bucket.ts';
import { type RateLimit, rateLimitHeaders, refusalHeaders } from './rate-limit-headers.ts';
import { type Level, type Limit, takeFrom } from './rate-windows.ts';
import { type Take, takeAhead } from './take-ahead.ts';

/** Rate limits of operations, counted per network in the database that all processes share. */

interface LimiterOptions {
  database: Database;
  clock: Clock;
  limits: readonly Limit[];
  /** Names of limits that are counted in advance, several at once. */
  ahead?: readonly string[];
  /** Called with the limit's name for every rejected request. */
  onRefused?: OnRefused;
  /** The first thread distributes what was counted in advance. */
  threads?: Threads;
}

export type OnRefused = (limit: string) => void;

/** Every 64th call also deletes some old windows. */
const CLEAN_EVERY = 64;
const CLEAN_MOST = 256;

export function createLimiter({
  database,
  clock,
  limits,
  ahead = [],
  onRefused,
  threads = ALONE,
}: LimiterOptions): Limiter {
  const byName = new Map(limits.map((limit) => [limit.name, limit]));
  let takes = 0;
  const takeNow: Take = async (limit, bucket, nowMs, many) => {
    const level = await takeFrom(database.db, limit, bucket, nowMs, many);
    if (++takes % CLEAN_EVERY === 0) await removeExpired(database, 'rate_windows', nowMs, CLEAN_MOST);
    return level;
  };
  const takeSome = threads.inFirst('limits.takeAhead', takeAhead(takeNow));
  return {
    has: (name) => byName.has(name),
    async take(name, address) {
      const limit = byName.get(name) as Limit;
      const [bucket, nowMs] = [clientBucket(address), clock.now()];
      const level = await (ahead.includes(name) ? takeSome : takeNow)(limit, bucket, nowMs, 1);
      if (!level.is_free) {
        onRefused?.(limit.name);
        throw rateLimited(limit, level);
      }
      return rateLimitHeaders(described(limit, level));
    },
  };
}

/** A 429 with the time to wait. Also for limits that a handler counts by something else than the network. */
export function rateLimited(limit: Limit, level: Level): Problem {
  const rateLimit = described(limit, level);
  const headers = refusalHeaders(rateLimit);
  return coreProblem(
    'http.limit_exceeded',
    `Rate limit exceeded: ${limit.count} requests per ${limit.window_ms / 1_000} s. Retry in ` +
      `${headers['retry-after']} s.`,
    { reason: 'rate', headers },
  );
}

const described = ({ name, count, window_ms }: Limit, { used, wait_ms }: Level): RateLimit => ({
  policy: name,
  count,
  window_ms,
  used,
  wait_ms,
});
