import type { Kysely } from 'kysely';
import { deleteDevices } from '#accounts/devices/devices.ts';
import { forgetTokens } from '#accounts/email/email-tokens.ts';
import { forgetFlows } from '#accounts/google/flows.ts';
import { lockUser } from '#accounts/users/users.ts';
import type { Schema } from '#core/db/schema.ts';
import { revokeSignIn, revokeSignIns } from './sign-ins.ts';

/**
 * Revokes sessions that may be stolen, together with links that they requested and that are not confirmed yet:
 * otherwise a thief could open that email, or return from Google, and be signed in again.
 */

type Trx = Kysely<Schema>;

/**
 * Revokes all sessions of a user but `keep`, and deletes all known devices. Returns their number. `trx` locks the
 * account, so that no concurrent sign-in escapes.
 */
export async function endSignIns(trx: Trx, user_id: string, keep: string | null, now: string): Promise<number> {
  await forgetLinks(trx, user_id);
  await deleteDevices(trx, user_id);
  return revokeSignIns(trx, user_id, keep, now);
}

/** Returns false if the user has no such active session. */
export async function endSignIn(trx: Trx, user_id: string, id: string, now: string): Promise<boolean> {
  await forgetLinks(trx, user_id);
  return revokeSignIn(trx, user_id, id, now);
}

/**
 * Locks emailed links before the account and flows after it, in the same order as opening a link and deleting an
 * account.
 */
export async function forgetLinks(trx: Trx, user_id: string): Promise<void> {
  await forgetTokens(trx, user_id, null);
  await lockUser(trx, user_id);
  await forgetFlows(trx, user_id);
}
