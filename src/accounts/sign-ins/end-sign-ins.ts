import type { Kysely } from 'kysely';
import { deleteDevices } from '#accounts/devices/devices.ts';
import { forgetTokens } from '#accounts/email/email-tokens.ts';
import { forgetFlows } from '#accounts/google/flows.ts';
import { lockUser } from '#accounts/users/users.ts';
import type { Schema } from '#core/db/schema.ts';
import { revokeSignIn, revokeSignIns } from './sign-ins.ts';

/**
 * Ends sessions because somebody else may hold them. What they asked to be linked and is not yet goes with them: else a
 * thief opens that mail, or comes back from Google, and is in again.
 */

type Trx = Kysely<Schema>;

/** All of a user, but the one to `keep`, and every device that the account knows. Answers how many. `trx` then holds the account: no sign-in slips in beside it. */
export async function endSignIns(trx: Trx, user_id: string, keep: string | null, now: string): Promise<number> {
  await forgetLinks(trx, user_id);
  await deleteDevices(trx, user_id);
  return revokeSignIns(trx, user_id, keep, now);
}

/** False where the user has no such session that stands. */
export async function endSignIn(trx: Trx, user_id: string, id: string, now: string): Promise<boolean> {
  await forgetLinks(trx, user_id);
  return revokeSignIn(trx, user_id, id, now);
}

/** Mailed links before the account, flows after it: opening a link and deleting an account lock them in this order. */
export async function forgetLinks(trx: Trx, user_id: string): Promise<void> {
  await forgetTokens(trx, user_id, null);
  await lockUser(trx, user_id);
  await forgetFlows(trx, user_id);
}
