import type { EmailRow } from '../../platform/db/schema-identity.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import { findEmail, setPassword } from '../users/identities.ts';
import { findUser } from '../users/users.ts';
import type { emailOperations } from './contract-email.ts';
import { readAddress } from './email/address.ts';
import type { EmailDeps } from './email/deps.ts';
import { normalPassword } from './email/password-rule.ts';
import { badCredentials } from './email/refusals.ts';
import type { NewSignIn } from './signed-in.ts';

/** POST /api/auth/email/login. Of an unknown address nobody's password is checked, so that it takes as long. */
export const loginEmail =
  (deps: EmailDeps): Handler<typeof emailOperations.loginEmail> =>
  async ({ body, headers }) => {
    const { db, clock, counts, passwords, startSignIn } = deps;
    const email = readAddress(body.email);
    const password = normalPassword(body.password);
    const account = await findEmail(db, email);
    let is_outdated = false;
    const is_right = await counts.attempt(email, clock.now(), async () => {
      const { matches, outdated } = await passwords.verify(password, account?.password_hash ?? null);
      is_outdated = outdated;
      return matches;
    });
    const user = is_right && account !== undefined ? await findUser(db, account.user_id) : undefined;
    if (account === undefined || user === undefined) throw badCredentials();
    const hash = is_outdated ? await renewHash(deps, account, password) : account.password_hash;
    const stillLeads: NewSignIn['stillLeads'] = async (trx) => (await findEmail(trx, email))?.password_hash === hash;
    const user_agent = `${headers['user-agent'] ?? ''}`;
    return json(await startSignIn({ user, method: 'email', wallet: null, user_agent, stillLeads }));
  };

/** Answers the hash that stands if nobody else changed it. */
async function renewHash({ db, passwords }: EmailDeps, { email, password_hash: old }: EmailRow, password: string) {
  const password_hash = await passwords.hash(password);
  await setPassword(db, { email, old, password_hash, now: null });
  return password_hash;
}
