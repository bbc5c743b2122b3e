import type { Kysely } from 'kysely';
import { findUser, type User } from '#accounts/users/users.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Share, userShare } from '#core/fair-queue/share.ts';
import { listNetworks } from './account-networks.ts';

/**
 * The share of work outside of requests, such as tasks: the account's own, or its network's while the account is new.
 */
export async function shareOfUser(db: Kysely<Schema>, user_id: string, now_ms: number): Promise<Share> {
  const user = await findUser(db, user_id);
  if (user === undefined || !isNewAccount(user, now_ms)) return userShare(user_id);
  const [first] = await listNetworks(db, user_id);
  return { user_id, address: user.unproven_network ?? first?.network ?? null, is_new: true };
}

const NEW_FOR_MS = 24 * 3_600_000;

/**
 * Accounts are free to create, so until an account has some age or is vouched for, it counts as part of its network.
 */
const isNewAccount = (
  {
    tier,
    is_operator,
    created_at,
    unproven_network,
  }: Pick<User, 'tier' | 'is_operator' | 'created_at' | 'unproven_network'>,
  nowMs: number,
) => tier === 'free' && is_operator === 0 && (unproven_network !== null || nowMs - Date.parse(created_at) < NEW_FOR_MS);
