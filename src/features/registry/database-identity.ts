import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';

/** A random number that the database keeps: sequence numbers mean something only together with it. */
export async function databaseIdentity(db: Kysely<Schema>): Promise<string> {
  const read = () =>
    db.selectFrom('change_counters').select('value').where('name', '=', 'database_identity').executeTakeFirst();
  let row = await read();
  if (row === undefined) {
    const value = randomInt(2 ** 40, 2 ** 41);
    await db
      .insertInto('change_counters')
      .values({ name: 'database_identity', value })
      .onConflict((it) => it.doNothing())
      .execute();
    row = await read();
  }
  return (row?.value ?? 0).toString(36);
}
