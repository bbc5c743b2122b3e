import type { NewSignIn } from '#accounts/auth/signed-in.ts';
import { addDevice } from '#accounts/devices/devices.ts';
import { findEmail } from '#accounts/users/identities.ts';
import { findUser } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { EmailDeps } from './deps.ts';
import { findToken, linkUnknown, useToken } from './email-tokens.ts';
import type { SignedInByEmail } from './sign-in.ts';

/** Starts a session with an emailed link instead of a password, also while wrong passwords are rate-limited. */
export async function signInByLink(
  { db, clock, startSignIn }: EmailDeps,
  given: { token: string; remember_device?: boolean | undefined } & Pick<NewSignIn, 'user_agent' | 'origin'>,
): Promise<SignedInByEmail> {
  const nowMs = clock.now();
  const now = isoTime(nowMs);
  const { user_agent, origin } = given;
  const token = await findToken(db, given.token, ['sign_in'], now);
  const account = await db.transaction().execute(async (trx) => {
    await useToken(trx, token, now);
    return findEmail(trx, token.email);
  });
  const user = account === undefined ? undefined : await findUser(db, account.user_id);
  if (user === undefined) throw linkUnknown();
  const stillLeads: NewSignIn['stillLeads'] = async (trx) => (await findEmail(trx, token.email))?.user_id === user.id;
  const signedIn = await startSignIn({ user, method: 'email', wallet: null, user_agent, origin, stillLeads });
  if (given.remember_device !== true) return signedIn;
  return { ...signedIn, device_token: await addDevice(db, { user_id: user.id, user_agent }, nowMs) };
}
