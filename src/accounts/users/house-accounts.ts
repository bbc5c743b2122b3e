import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';

/**
 * Accounts that own what has no user. They have no identity, so nobody can sign in to them, and they stay unproven, so no run
 * of theirs uses a model.
 */

/** Owns the runs of people without an account. */
export const ANONYMOUS_ID = '00000000-0000-7000-8000-000000000001';
/** Owns the runs that the service shows as examples. */
export const SHOWN_ID = '00000000-0000-7000-8000-000000000002';

export type HouseId = typeof ANONYMOUS_ID | typeof SHOWN_ID;

const NAMES: Record<HouseId, string> = { [ANONYMOUS_ID]: 'Anonymous callers', [SHOWN_ID]: 'Examples of this service' };

export const HOUSE_IDS: readonly string[] = Object.keys(NAMES);

/** In place of a network: no client has it. */
const NETWORK = 'anonymous';

/** Creates the account with its first run, so that no empty database has one. */
export async function ensureHouseAccount(db: Kysely<Schema>, id: HouseId, now: string): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id,
      display_name: NAMES[id],
      tier: 'free',
      is_operator: 0,
      unproven_network: NETWORK,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
