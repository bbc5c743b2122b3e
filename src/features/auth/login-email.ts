import { type Handler, json } from '../../platform/http/operation.ts';
import { findEmail, setPassword } from '../users/identities.ts';
import { findUser } from '../users/users.ts';
import type { emailOperations } from './contract-email.ts';
import { readAddress } from './email/address.ts';
import type { EmailDeps } from './email/deps.ts';
import { normalPassword } from './email/password-rule.ts';
import { badCredentials } from './email/refusals.ts';

/** POST /api/auth/email/login. Of an unknown address nobody's password is checked, so that it takes as long. */
export const loginEmail =
  (deps: EmailDeps): Handler<typeof emailOperations.loginEmail> =>
  async ({ body, headers }) => {
    const { db, clock, counts, startSignIn } = deps;
    const email = readAddress(body.email);
    const password = normalPassword(body.password);
    let user_id = '';
    const is_right = await counts.attempt(email, clock.now(), async () => {
      user_id = (await holderOf(deps, email, password)) ?? '';
      return user_id !== '';
    });
    const user = is_right ? await findUser(db, user_id) : undefined;
    if (user === undefined) throw badCredentials();
    const user_agent = `${headers['user-agent'] ?? ''}`;
    return json(await startSignIn({ user, method: 'email', wallet: null, user_agent }));
  };

/** Id of the user whose address and password these are, or null. */
async function holderOf({ db, passwords }: EmailDeps, email: string, password: string): Promise<string | null> {
  const account = await findEmail(db, email);
  const { matches, outdated } = await passwords.verify(password, account?.password_hash ?? null);
  if (account === undefined || !matches) return null;
  if (outdated) {
    const password_hash = await passwords.hash(password);
    await setPassword(db, { email, old: account.password_hash, password_hash, now: null });
  }
  return account.user_id;
}
