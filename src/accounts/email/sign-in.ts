import { noteRefused } from '#accounts/auth/noting.ts';
import type { NewSignIn, SignedIn } from '#accounts/auth/signed-in.ts';
import { addDevice, findDevice, useDevice } from '#accounts/devices/devices.ts';
import { findEmail, setPassword } from '#accounts/users/identities.ts';
import { findUser } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { EmailRow } from '#core/db/schema-identity.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { readAddress } from './address.ts';
import type { EmailDeps } from './deps.ts';
import { normalPassword } from './password-rule.ts';
import { badCredentials } from './refusals.ts';

export type SignedInByEmail = SignedIn & { device_token?: string };

interface EmailSignIn extends Pick<NewSignIn, 'user_agent' | 'origin'> {
  email: string;
  password: string;
  /** Token of a known device. A device of another account is ignored. */
  device_token?: string | undefined;
  /** Whether to return a device token if the account does not know the device. */
  remember_device?: boolean | undefined;
}

/**
 * Starts a session with an address and its password. For an unknown address, a dummy password is verified, so that it
 * takes as long. Attempts from a known device are counted separately, so failures of others do not lock it out.
 */
export async function signInByEmail(deps: EmailDeps, given: EmailSignIn): Promise<SignedInByEmail> {
  const { db, clock, counts, passwords, startSignIn } = deps;
  const { user_agent, origin, device_token = '', remember_device = false } = given;
  const email = readAddress(given.email);
  const password = normalPassword(given.password);
  const nowMs = clock.now();
  const share = { user_id: null, address: origin?.address ?? null };
  const [account, shown] = await Promise.all([findEmail(db, email), findDevice(db, device_token, isoTime(nowMs))]);
  const device = shown !== undefined && shown.user_id === account?.user_id ? shown : undefined;
  let isOutdated = false;
  const isRight = await counts.attempt(device === undefined ? { email } : { device: device.id }, nowMs, async () => {
    const { matches, outdated } = await passwords.verify(password, account?.password_hash ?? null, share);
    isOutdated = outdated;
    return matches;
  });
  const user = isRight && account !== undefined ? await findUser(db, account.user_id) : undefined;
  if (account === undefined || user === undefined) {
    // Also for an unknown address, so that it takes as long.
    await noteRefused(deps, 'email', origin, account?.user_id);
    throw badCredentials();
  }
  const hash = isOutdated ? await renewHash(deps, account, password, share) : account.password_hash;
  const stillLeads: NewSignIn['stillLeads'] = async (trx) => (await findEmail(trx, email))?.password_hash === hash;
  const signedIn = await startSignIn({ user, method: 'email', wallet: null, user_agent, origin, stillLeads });
  if (device !== undefined) await useDevice(db, device.id, nowMs);
  if (device !== undefined || !remember_device) return signedIn;
  return { ...signedIn, device_token: await addDevice(db, { user_id: user.id, user_agent }, nowMs) };
}

/** Returns the current hash if nobody else has changed it. */
async function renewHash(
  { db, passwords }: EmailDeps,
  { email, password_hash: old }: EmailRow,
  password: string,
  share: Share,
) {
  const password_hash = await passwords.hash(password, share);
  await setPassword(db, { email, old, password_hash, now: null });
  return password_hash;
}
