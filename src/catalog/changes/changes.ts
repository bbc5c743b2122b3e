import { type Kysely, sql } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';

/** The catalogue's change sequence: one number per transaction that changed a listing, in commit order. */

/** Takes the next number; its row lock is held until the transaction ends, which makes sequence order commit order. */
export const nextSeq = async (trx: Kysely<Schema>): Promise<number> => {
  const row = await trx
    .updateTable('change_counters')
    .set({ value: sql<number>`value + 1` })
    .where('name', '=', 'listings')
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value;
};

/**
 * The time of a change: now, or just after the newest one that was committed. Times of changes so have the order of the
 * sequence, whatever the clocks of several processes say. Taken after the sequence's number, in the same transaction.
 */
export const changeTime = async (trx: Kysely<Schema>, now: string): Promise<string> => {
  const now_ms = Date.parse(now);
  const { value } = await trx
    .updateTable('change_counters')
    .set({ value: sql<number>`CASE WHEN value < ${sql.lit(now_ms)} THEN ${sql.lit(now_ms)} ELSE value + 1 END` })
    .where('name', '=', 'listings_time')
    .returning('value')
    .executeTakeFirstOrThrow();
  return isoTime(value);
};

/** For transactions that may turn out to change nothing: takes one number at its first call, the same ever after. */
export const lazySeq = (trx: Kysely<Schema>): (() => Promise<number>) => {
  let taken: Promise<number> | undefined;
  return () => {
    taken ??= nextSeq(trx);
    return taken;
  };
};

/** The newest change, and the oldest a delta may begin after. */
export const readSeq = async (db: Kysely<Schema>): Promise<{ current: number; purged: number }> => {
  const rows = await db
    .selectFrom('change_counters')
    .selectAll()
    .where('name', 'in', ['listings', 'listings_purged'])
    .execute();
  const value = (name: string) => rows.find((row) => row.name === name)?.value ?? 0;
  return { current: value('listings'), purged: value('listings_purged') };
};

export const rememberPurged = async (trx: Kysely<Schema>, seq: number): Promise<void> => {
  await trx
    .updateTable('change_counters')
    .set({ value: seq })
    .where('name', '=', 'listings_purged')
    .where('value', '<', seq)
    .execute();
};

/** More numbers than are taken between a backup and the day that it is restored. */
const LEAP = 10_000_000;

/**
 * After a restore: the newest change gets a number beyond all that readers may have seen since the backup, and no delta
 * begins before it. It is that of a listing, because whoever follows looks for listings.
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
