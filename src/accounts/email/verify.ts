import { noteLink } from '#accounts/auth/noting.ts';
import type { NewSignIn } from '#accounts/auth/signed-in.ts';
import { markProven } from '#accounts/quotas/unproven.ts';
import { findEmail, linkEmail } from '#accounts/users/identities.ts';
import { createUser, findUser, lockUser, type User } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { shareOf } from '#core/http/share-of.ts';
import type { emailContract } from './contract.ts';
import type { EmailDeps } from './deps.ts';
import { type EmailToken, findToken, useToken } from './email-tokens.ts';
import { normalPassword } from './password-rule.ts';
import { badCredentials, emailTaken } from './refusals.ts';

/** POST /api/auth/email/verify */
export const verifyEmail =
  (deps: EmailDeps): Handler<typeof emailContract.verify> =>
  async ({ body, headers, caller, address, origin }) => {
    const { db, clock, startSignIn } = deps;
    const now = isoTime(clock.now());
    const token = await findToken(db, body.token, ['register', 'link'], now);
    await checkPassword(deps, token, body.password, shareOf({ caller, address }));
    const user = await db.transaction().execute(async (transaction) => {
      await useToken(transaction, token, now);
      const holder = await holderOf(transaction, token, now);
      const { email, password_hash } = token;
      const row = { email, user_id: holder.id, password_hash: password_hash as string };
      // Another account was faster. The transaction rolls back everything, including the new user.
      if (!(await linkEmail(transaction, { ...row, linked_at: now, password_changed_at: now }))) throw emailTaken();
      await markProven(transaction, holder.id);
      await noteLink(transaction, 'auth.link', { actor: holder.id, origin }, 'email', now);
      return holder;
    });
    const { email, password_hash } = token;
    const stillLeads: NewSignIn['stillLeads'] = async (trx) =>
      (await findEmail(trx, email))?.password_hash === password_hash;
    const user_agent = `${headers['user-agent'] ?? ''}`;
    return json(await startSignIn({ user, method: 'email', wallet: null, user_agent, origin, stillLeads }));
  };

/**
 * The password and the mailbox must belong to the same person; otherwise an attacker would share the account with its
 * owner.
 */
async function checkPassword(
  { clock, passwords, counts }: EmailDeps,
  token: EmailToken,
  text: string,
  share: Share,
): Promise<void> {
  const check = async () => (await passwords.verify(normalPassword(text), token.password_hash, share)).matches;
  if (!(await counts.attempt({ link: token.token_hash }, clock.now(), check))) throw badCredentials();
}

async function holderOf(
  transaction: EmailDeps['db'],
  { user_id, display_name }: EmailToken,
  now: string,
): Promise<User> {
  if (user_id === null) return createUser(transaction, display_name ?? '', now);
  await lockUser(transaction, user_id);
  return (await findUser(transaction, user_id)) as User;
}
