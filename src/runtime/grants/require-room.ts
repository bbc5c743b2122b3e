import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import { lockUser } from '#accounts/users/users.ts';
import type { Schema } from '#core/db/schema.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import { countGrants, findGrant, type GrantPlace } from './skill-grants.ts';

const MOST_SKILLS = 500;

/** Locks the account. Without a gate, nothing is charged. @throws Problem `users.quota_exceeded`, and `users.limit_exceeded` for too many skills. */
export async function requireRoom(
  trx: Kysely<Schema>,
  storage: StorageGate | null,
  place: GrantPlace,
  bytes: number,
): Promise<void> {
  await lockUser(trx, place.user_id);
  await storage?.require(trx, place.user_id, 'skills', bytes);
  const isNew = (await findGrant(trx, place)).updated_at === null;
  if (isNew && (await countGrants(trx, place.user_id)) >= MOST_SKILLS)
    throw accountsProblem(
      'users.limit_exceeded',
      `You have settings for ${MOST_SKILLS} skills, the maximum. Delete those that you no longer use.`,
      { reason: 'skills' },
    );
}
