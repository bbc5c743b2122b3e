import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';

/** The only SQL that names `agent_models`: which model each user has chosen. */

type Db = Kysely<Schema>;

export const readChosen = async (db: Db, user_id: string): Promise<string | null> =>
  (await db.selectFrom('agent_models').select('model').where('user_id', '=', user_id).executeTakeFirst())?.model ??
  null;

export async function chooseModel(db: Db, user_id: string, model: string, now: string): Promise<void> {
  await db
    .insertInto('agent_models')
    .values({ user_id, model, chosen_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ model, chosen_at: now }))
    .execute();
}
