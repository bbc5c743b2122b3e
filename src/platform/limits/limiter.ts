import type { Clock } from '../clock.ts';
import type { Database } from '../db/open.ts';
import { removeExpired } from '../db/remove-expired.ts';
import type { Limiter } from '../http/gates.ts';
import { Problem } from '../problem.ts';
import { clientBucket } from './client-bucket.ts';
import { type RateLimit, rateLimitHeaders, refusalHeaders } from './rate-limit-headers.ts';
import { type Level, type Limit, takeFrom } from './rate-windows.ts';

/** The limits that operations name, counted by the client's network, in the database that all instances share. */

export interface LimiterOptions {
  database: Database;
  clock: Clock;
  limits: readonly Limit[];
}

/** One take in so many also removes old windows, a few at a time. */
const CLEAN_EVERY = 64;
const CLEAN_MOST = 256;

export function createLimiter({ database, clock, limits }: LimiterOptions): Limiter {
  const byName = new Map(limits.map((it) => [it.name, it]));
  let takes = 0;
  return {
    has: (name) => byName.has(name),
    async take(name, address) {
      const limit = byName.get(name) as Limit;
      const now_ms = clock.now();
      const level = await takeFrom(database.db, limit, clientBucket(address), now_ms);
      if (++takes % CLEAN_EVERY === 0) await removeExpired(database, 'rate_windows', now_ms, CLEAN_MOST);
      if (!level.is_free) throw rateLimited(limit, level);
      return rateLimitHeaders(described(limit, level));
    },
  };
}

/** 429 with the time to wait. Also for limits that a handler counts by something else than the network. */
export const rateLimited = (limit: Limit, level: Level): Problem => {
  const it = described(limit, level);
  const headers = refusalHeaders(it);
  return new Problem(
    'rate_limited',
    'http.rate_limited',
    `Too many requests: ${limit.count} in ${limit.window_ms / 1_000} s are taken here. Try again in ${headers['retry-after']} s.`,
    { headers },
  );
};

const described = ({ name, count, window_ms }: Limit, { used, wait_ms }: Level): RateLimit => ({
  ...{ policy: name, count, window_ms, used, wait_ms },
});
