import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';

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
