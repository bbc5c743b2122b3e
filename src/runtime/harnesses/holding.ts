import type { Kysely } from 'kysely';
import type { Holding } from '#accounts/users/holding.ts';
import type { Schema } from '#core/db/schema.ts';
import { deleteHarnessesOf, listHarnesses } from './harnesses.ts';
import { deleteUsage, holdUsage, makeUsage } from './usage.ts';

const MOST_HARNESSES = 10_000;
/** Characters in total, because an export is one response. Larger data can be exported harness by harness. */
const MOST_CONTENT = 16 * 1024 * 1024;

/** Writers lock the usage row first, so it is locked before the account. The rest is deleted with the harnesses. */
export const harnessesHolding: Holding = {
  name: 'harnesses',
  read: async (db, { user_id }) => {
    const { items } = await listHarnesses(db, user_id, { limit: MOST_HARNESSES, offset: 0 });
    const { holdingOf } = await import('./holding-of.ts');
    const shown: unknown[] = [];
    let left = MOST_CONTENT;
    for (const harness of items) {
      const [held, length] = await holdingOf(db, harness, left);
      left -= length;
      shown.push(held);
    }
    return shown;
  },
  release: async (trx: Kysely<Schema>, { user_id }) => {
    await makeUsage(trx, user_id);
    await holdUsage(trx, user_id);
    await deleteHarnessesOf(trx, user_id);
    await deleteUsage(trx, user_id);
  },
};
