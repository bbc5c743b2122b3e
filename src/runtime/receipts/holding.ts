import type { Kysely } from 'kysely';
import type { Holding } from '#accounts/users/holding.ts';
import type { Schema } from '#core/db/schema.ts';

/** Receipts outlive their account, and are then anonymous. */
export const receiptsHolding: Holding = {
  name: 'receipts',
  read: (db, { user_id }) =>
    db
      .selectFrom('receipts')
      .select(['id', 'run_id', 'created_at'])
      .where('user_id', '=', user_id)
      .orderBy('id', 'desc')
      .limit(MOST_RECEIPTS)
      .execute(),
  erase: (trx, { user_id }) => forgetOwner(trx, user_id),
};

/** The newest; each is read whole by its id. */
const MOST_RECEIPTS = 10_000;

async function forgetOwner(trx: Kysely<Schema>, userId: string): Promise<void> {
  for (const table of ['receipts', 'owed_receipts', 'run_intents'] as const)
    await trx.updateTable(table).set({ user_id: null }).where('user_id', '=', userId).execute();
}
