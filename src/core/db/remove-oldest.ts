import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';

export interface Aging {
  table: keyof Schema;
  /** The primary key. */
  key: readonly string[];
  /** The column with a row's age; there is an index over it. */
  time: string;
  /** Rows that this does not hold for stay. */
  only?: RawBuilder<boolean>;
}

/** The oldest rows from before this ISO time, at most `most`. Answers how many those were. */
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
