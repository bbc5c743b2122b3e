import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';

type Db = Kysely<Schema>;

/** A random number stored in the database. Sequence numbers of databases with different identities cannot be compared. */
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

/** Null if no service was ever started on this database. */
export async function readDatabaseIdentity(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('change_counters')
    .select('value')
    .where('name', '=', 'database_identity')
    .executeTakeFirst();
  return row === undefined ? null : row.value.toString(36);
}

/** The next read creates a new identity. */
export async function forgetDatabaseIdentity(db: Db): Promise<void> {
  await db.deleteFrom('change_counters').where('name', '=', 'database_identity').execute();
}
