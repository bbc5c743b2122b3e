import { type Kysely, sql } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';

/** Reads the job table by kind, for monitoring. */
export interface QueueRow {
  kind: string;
  jobs: number;
  due: number;
  leased: number;
  failing: number;
  oldest_seconds: number;
}

export async function readQueue(db: Kysely<Schema>, now_ms: number): Promise<QueueRow[]> {
  const now = isoTime(now_ms);
  const free = sql`(lease_until IS NULL OR lease_until <= ${now})`;
  const isDue = sql`run_at <= ${now} AND ${free}`;
  const rows = await db
    .selectFrom('jobs')
    .select(['kind'])
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .select(sql<number>`COUNT(CASE WHEN ${isDue} THEN 1 END)`.as('due'))
    .select(sql<number>`COUNT(CASE WHEN NOT ${free} THEN 1 END)`.as('leased'))
    .select(sql<number>`COUNT(CASE WHEN failures > 0 THEN 1 END)`.as('failing'))
    .select(sql<string | null>`MIN(CASE WHEN ${isDue} THEN run_at END)`.as('oldest'))
    .groupBy('kind')
    .execute();
  return rows.map(({ kind, oldest, ...counts }) => ({
    kind,
    jobs: Number(counts.jobs),
    due: Number(counts.due),
    leased: Number(counts.leased),
    failing: Number(counts.failing),
    oldest_seconds: oldest === null ? 0 : (now_ms - Date.parse(oldest)) / 1_000,
  }));
}
