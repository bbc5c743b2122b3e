import { accountsProblem } from '#accounts/errors.ts';
import { listIdentities } from '#accounts/users/identities.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { shareOf } from '#core/http/share-of.ts';
import { readAddress } from './address.ts';
import type { emailContract } from './contract.ts';
import type { EmailDeps } from './deps.ts';
import { addToken, LINK_LIFE_MS } from './email-tokens.ts';
import { newPassword } from './password-rule.ts';

/** POST /api/auth/email. As with registration, nothing looks up here whether the address has an account. */
export const linkEmail =
  ({ db, clock, passwords, counts, mail_queue }: EmailDeps): Handler<typeof emailContract.link> =>
  async ({ body, caller, address }) => {
    const { user_id } = caller;
    const email = readAddress(body.email);
    const password = newPassword(body.password, email);
    if ((await listIdentities(db, user_id)).email !== null)
      throw accountsProblem('auth.identity_conflict', 'Your account already has an email address. Remove it first.', {
        reason: 'email_linked',
      });
    const nowMs = clock.now();
    await counts.mail('confirm', email, nowMs);
    const password_hash = await passwords.hash(password, shareOf({ caller, address }));
    const token = await addToken(db, { purpose: 'link', email, user_id, password_hash }, nowMs);
    await mail_queue.post({ about: 'link', email, token }, nowMs + LINK_LIFE_MS.link);
    return json({ status: 'verification_sent' }, { status: 202 });
  };
