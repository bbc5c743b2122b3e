import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';

type Db = Kysely<Schema>;

/** A random number that the database keeps: sequence numbers mean something only together with it. */
export async function databaseIdentity(db: Db): Promise<string> {
  const known = await readDatabaseIdentity(db);
  if (known !== null) return known;
  const value = randomInt(2 ** 40, 2 ** 41);
  await db
    .insertInto('change_counters')
    .values({ name: 'database_identity', value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await readDatabaseIdentity(db)) as string;
}

/** Null where no service was ever started on it. */
export async function readDatabaseIdentity(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('change_counters')
    .select('value')
    .where('name', '=', 'database_identity')
    .executeTakeFirst();
  return row === undefined ? null : row.value.toString(36);
}

/** The next reader makes another one. */
export const forgetDatabaseIdentity = async (db: Db): Promise<void> => {
  await db.deleteFrom('change_counters').where('name', '=', 'database_identity').execute();
};
