import { type Kysely, sql } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';

/** The change sequence of listings: one number per transaction that changed any, in commit order. */

/** Takes the next number. Its row lock is held until the transaction ends, so numbers are in commit order. */
export async function nextSeq(trx: Kysely<Schema>): Promise<number> {
  const row = await trx
    .updateTable('change_counters')
    .set({ value: sql<number>`value + 1` })
    .where('name', '=', 'listings')
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value;
}

/**
 * The time of a change: now, or 1 ms after the newest committed change if that is later. Times are therefore in the order of the
 * sequence even if the clocks of processes differ. Take it after the sequence number, in the same transaction.
 */
export async function changeTime(trx: Kysely<Schema>, now: string): Promise<string> {
  const nowMs = Date.parse(now);
  const { value } = await trx
    .updateTable('change_counters')
    .set({ value: sql<number>`CASE WHEN value < ${sql.lit(nowMs)} THEN ${sql.lit(nowMs)} ELSE value + 1 END` })
    .where('name', '=', 'listings_time')
    .returning('value')
    .executeTakeFirstOrThrow();
  return isoTime(value);
}

/** For transactions that may change nothing: takes a number with the first call and returns the same number afterwards. */
export function lazySeq(trx: Kysely<Schema>): () => Promise<number> {
  let taken: Promise<number> | undefined;
  return () => {
    taken ??= nextSeq(trx);
    return taken;
  };
}

/** The newest change number, and the oldest number that a delta may start after. */
export async function readSeq(db: Kysely<Schema>): Promise<{ current: number; purged: number }> {
  const rows = await db
    .selectFrom('change_counters')
    .selectAll()
    .where('name', 'in', ['listings', 'listings_purged'])
    .execute();
  const value = (name: string) => rows.find((row) => row.name === name)?.value ?? 0;
  return { current: value('listings'), purged: value('listings_purged') };
}

export async function rememberPurged(trx: Kysely<Schema>, seq: number): Promise<void> {
  await trx
    .updateTable('change_counters')
    .set({ value: seq })
    .where('name', '=', 'listings_purged')
    .where('value', '<', seq)
    .execute();
}

/** More than the numbers taken between a backup and its restore. */
const LEAP = 10_000_000;

/**
 * After a restore, readers may have seen higher numbers than the backup has. Moves the sequence beyond them, and no delta starts
 * before it. The number is given to a listing, because followers read listings.
 */
export async function leapAhead(trx: Kysely<Schema>): Promise<void> {
  const newest = await trx
    .selectFrom('listings')
    .select(['provider_id', 'external_id'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest === undefined) return;
  const seq = (await readSeq(trx)).current + LEAP;
  await trx
    .updateTable('listings')
    .set({ seq })
    .where((eb) => eb.and(newest))
    .execute();
  await trx.updateTable('change_counters').set({ value: seq }).where('name', '=', 'listings').execute();
  await rememberPurged(trx, seq);
}
