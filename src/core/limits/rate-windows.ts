import { type Kysely, sql } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { SYNC_LATER } from '#core/db/wal-sync.ts';

/**
 * Counts recent events: the only SQL that uses `rate_windows`. A sliding window from two fixed ones: the previous
 * window counts in proportion to its remaining part. Unlike with fixed windows, nobody gets twice the limit around a
 * turn, and a bucket needs only two rows, whatever its limit.
 */

type Db = Kysely<Schema>;

export interface Limit {
  /** Lower-case letters, digits and hyphens: it is also the policy name in RateLimit headers. */
  name: string;
  count: number;
  window_ms: number;
}

/** The state of a bucket. */
export interface Level {
  /** True if the request was counted, or would be for `peek`. */
  is_free: boolean;
  /** Requests in the sliding window, rounded up. */
  used: number;
  /** Time until more are available; if none are left, until one is. */
  wait_ms: number;
}

/**
 * Counts one request, or all of `many` or none, if the limit allows it. A single statement, so that no number of
 * processes exceeds the limit.
 */
export async function takeFrom(db: Db, limit: Limit, bucket: string, now_ms: number, many = 1): Promise<Level> {
  const at = windowsAt(limit, bucket, now_ms);
  const room = limit.count - many + 1;
  const { rows } = await sql<{ used: number; earlier: number }>`
    INSERT INTO rate_windows (bucket, window_start, used, expires_at)
    SELECT ${at.bucket}, ${at.start}, ${sql.lit(many)}, ${at.expires_at} WHERE ${earlier(at)} * ${at.permille} < ${room * 1_000}
    ON CONFLICT (bucket, window_start) DO UPDATE SET used = rate_windows.used + ${sql.lit(many)}
    WHERE ${earlier(at)} * ${at.permille} < (${room} - rate_windows.used) * 1000
    RETURNING used, ${earlier(at)} AS earlier ${sql.raw(SYNC_LATER)}`.execute(db);
  const row = rows[0];
  // One may fit although `many` did not.
  if (row === undefined) return { ...(await peek(db, limit, bucket, now_ms)), is_free: false };
  return { ...levelOf(limit, at, Number(row.earlier), row.used), is_free: true };
}

/** Returns the end of the window that contains `now_ms`. */
export const windowEnd = ({ window_ms }: Limit, now_ms: number): number =>
  (Math.floor(now_ms / window_ms) + 1) * window_ms;

/** Releases one request that was counted in the window of `now_ms`. */
export async function giveBackTo(db: Db, limit: Limit, bucket: string, now_ms: number): Promise<void> {
  const at = windowsAt(limit, bucket, now_ms);
  await db
    .updateTable('rate_windows')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('bucket', '=', at.bucket)
    .where('window_start', '=', at.start)
    .where('used', '>', 0)
    .execute();
}

/** Reads without counting. */
export async function peek(db: Db, limit: Limit, bucket: string, now_ms: number): Promise<Level> {
  const at = windowsAt(limit, bucket, now_ms);
  const rows = await db
    .selectFrom('rate_windows')
    .select(['window_start', 'used'])
    .where('bucket', '=', at.bucket)
    .where('window_start', 'in', [at.start, at.start_before])
    .execute();
  const usedAt = (start: string) => rows.find((row) => row.window_start === start)?.used ?? 0;
  return levelOf(limit, at, usedAt(at.start_before), usedAt(at.start));
}

interface Windows {
  bucket: string;
  start: string;
  start_before: string;
  expires_at: string;
  /** The remaining weight of the previous window, in thousandths. */
  permille: number;
  elapsed_ms: number;
}

function windowsAt({ name, window_ms }: Limit, bucket: string, nowMs: number): Windows {
  const startMs = Math.floor(nowMs / window_ms) * window_ms;
  const elapsed_ms = nowMs - startMs;
  return {
    bucket: `${name}|${bucket}`,
    elapsed_ms,
    start: isoTime(startMs),
    start_before: isoTime(startMs - window_ms),
    expires_at: isoTime(startMs + 2 * window_ms),
    permille: Math.ceil((1 - elapsed_ms / window_ms) * 1_000),
  };
}

const earlier = ({ bucket, start_before }: Windows) =>
  sql<number>`(SELECT COALESCE(MAX(earlier.used), 0) FROM rate_windows earlier WHERE earlier.bucket = ${bucket} AND earlier.window_start = ${start_before})`;

function levelOf({ count, window_ms }: Limit, at: Windows, before: number, now: number): Level {
  const used = now + Math.ceil((before * at.permille) / 1_000);
  const is_free = before * at.permille < (count - now) * 1_000;
  // There is room when the previous window weighs less than what this one leaves. If this one is full, it must age
  // first.
  const until = (full: number, left: number) => (full <= left ? 0 : (1 - left / full) * window_ms);
  const next = now >= count ? window_ms + until(now, count) : until(before, count - now);
  const wait_ms = is_free ? window_ms - at.elapsed_ms : Math.max(0, next - at.elapsed_ms) + window_ms / 1_000;
  return { is_free, used, wait_ms };
}
