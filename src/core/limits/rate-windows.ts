import { type Kysely, sql } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';

/**
 * How often something happened lately: the only SQL that names `rate_windows`. A sliding window made of two fixed ones:
 * what the one before counted weighs as much as is left of it. So nobody gets twice the limit around the turn of a
 * window, as with fixed ones, and a bucket needs two rows, whatever its limit.
 */

type Db = Kysely<Schema>;

export interface Limit {
  /** Lower case letters, digits and hyphens: it is the policy's name in RateLimit headers, too. */
  name: string;
  count: number;
  window_ms: number;
}

/** A bucket after one look at it. */
export interface Level {
  /** Whether it was, or for `peek` would be, taken. */
  is_free: boolean;
  /** Counted in the sliding window, rounded up. */
  used: number;
  /** Until there is more than now; until one fits, where none does. */
  wait_ms: number;
}

/** Counts one, or `many` or none, if the limit lets it: one statement, so that no number of processes counts too many. */
export async function takeFrom(db: Db, limit: Limit, bucket: string, now_ms: number, many = 1): Promise<Level> {
  const at = windowsAt(limit, bucket, now_ms);
  const room = limit.count - many + 1;
  const { rows } = await sql<{ used: number; earlier: number }>`
    INSERT INTO rate_windows (bucket, window_start, used, expires_at)
    SELECT ${at.bucket}, ${at.start}, ${sql.lit(many)}, ${at.expires_at} WHERE ${earlier(at)} * ${at.permille} < ${room * 1_000}
    ON CONFLICT (bucket, window_start) DO UPDATE SET used = rate_windows.used + ${sql.lit(many)}
    WHERE ${earlier(at)} * ${at.permille} < (${room} - rate_windows.used) * 1000
    RETURNING used, ${earlier(at)} AS earlier`.execute(db);
  const row = rows[0];
  // One may still fit where many did not.
  if (row === undefined) return { ...(await peek(db, limit, bucket, now_ms)), is_free: false };
  return { ...levelOf(limit, at, Number(row.earlier), row.used), is_free: true };
}

/** When the window of `now_ms` ends. */
export const windowEnd = ({ window_ms }: Limit, now_ms: number): number =>
  (Math.floor(now_ms / window_ms) + 1) * window_ms;

/** Takes back one that was counted in the window of `now_ms`. */
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

/** Counts nothing. */
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
  /** What one of the window before still weighs, in thousandths. */
  permille: number;
  elapsed_ms: number;
}

function windowsAt({ name, window_ms }: Limit, bucket: string, now_ms: number): Windows {
  const start_ms = Math.floor(now_ms / window_ms) * window_ms;
  const elapsed_ms = now_ms - start_ms;
  return {
    bucket: `${name}|${bucket}`,
    elapsed_ms,
    start: isoTime(start_ms),
    start_before: isoTime(start_ms - window_ms),
    expires_at: isoTime(start_ms + 2 * window_ms),
    permille: Math.ceil((1 - elapsed_ms / window_ms) * 1_000),
  };
}

const earlier = ({ bucket, start_before }: Windows) =>
  sql<number>`(SELECT COALESCE(MAX(earlier.used), 0) FROM rate_windows earlier WHERE earlier.bucket = ${bucket} AND earlier.window_start = ${start_before})`;

function levelOf({ count, window_ms }: Limit, at: Windows, before: number, now: number): Level {
  const used = now + Math.ceil((before * at.permille) / 1_000);
  const is_free = before * at.permille < (count - now) * 1_000;
  // One fits once the window before weighs less than what this one leaves; where this one is full, it must age first.
  const until = (full: number, left: number) => (full <= left ? 0 : (1 - left / full) * window_ms);
  const next = now >= count ? window_ms + until(now, count) : until(before, count - now);
  const wait_ms = is_free ? window_ms - at.elapsed_ms : Math.max(0, next - at.elapsed_ms) + window_ms / 1_000;
  return { is_free, used, wait_ms };
}
