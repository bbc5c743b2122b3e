import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';

export interface Aging {
  table: keyof Schema;
  /** The columns of the primary key. */
  key: readonly string[];
  /** The column with the row's age, which must be indexed. */
  time: string;
  /** Only rows that match are deleted. */
  only?: RawBuilder<boolean>;
}

/** Deletes up to `most` of the oldest rows from before this ISO time. Returns the number of deleted rows. */
export async function removeOldest(
  db: Kysely<Schema>,
  { table, key, time, only = sql<boolean>`1 = 1` }: Aging,
  before: string,
  most: number,
): Promise<number> {
  const keys = sql.join(key.map((text) => sql.ref(text)));
  const { numAffectedRows } = await sql`DELETE FROM ${sql.table(table)} WHERE (${keys}) IN
    (SELECT ${keys} FROM ${sql.table(table)} WHERE ${sql.ref(time)} < ${before} AND ${only}
     ORDER BY ${sql.ref(time)} LIMIT ${sql.lit(most)})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
