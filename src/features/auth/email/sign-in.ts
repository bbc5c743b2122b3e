import type { EmailRow } from '../../../platform/db/schema-identity.ts';
import { findEmail, setPassword } from '../../users/identities.ts';
import { findUser } from '../../users/users.ts';
import { noteRefused } from '../noting.ts';
import type { NewSignIn, SignedIn } from '../signed-in.ts';
import { readAddress } from './address.ts';
import type { EmailDeps } from './deps.ts';
import { normalPassword } from './password-rule.ts';
import { badCredentials } from './refusals.ts';

/** Begins a session with an address and its password. Of an unknown address nobody's is checked, so that it takes as long. */
export async function signInByEmail(
  deps: EmailDeps,
  given: { email: string; password: string } & Pick<NewSignIn, 'user_agent' | 'origin'>,
): Promise<SignedIn> {
  const { db, clock, counts, passwords, startSignIn } = deps;
  const email = readAddress(given.email);
  const password = normalPassword(given.password);
  const account = await findEmail(db, email);
  let is_outdated = false;
  const is_right = await counts.attempt(email, clock.now(), async () => {
    const { matches, outdated } = await passwords.verify(password, account?.password_hash ?? null);
    is_outdated = outdated;
    return matches;
  });
  const user = is_right && account !== undefined ? await findUser(db, account.user_id) : undefined;
  if (account === undefined || user === undefined) {
    // Of an unknown address, too, so that it takes as long.
    await noteRefused(deps, 'email', given.origin, account?.user_id);
    throw badCredentials();
  }
  const hash = is_outdated ? await renewHash(deps, account, password) : account.password_hash;
  const stillLeads: NewSignIn['stillLeads'] = async (trx) => (await findEmail(trx, email))?.password_hash === hash;
  return startSignIn({
    user,
    method: 'email',
    wallet: null,
    user_agent: given.user_agent,
    origin: given.origin,
    stillLeads,
  });
}

/** Answers the hash that stands if nobody else changed it. */
async function renewHash({ db, passwords }: EmailDeps, { email, password_hash: old }: EmailRow, password: string) {
  const password_hash = await passwords.hash(password);
  await setPassword(db, { email, old, password_hash, now: null });
  return password_hash;
}
