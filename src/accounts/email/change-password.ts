import { accountsProblem } from '#accounts/errors.ts';
import { endSignIns } from '#accounts/sign-ins/end-sign-ins.ts';
import { listIdentities, setPassword } from '#accounts/users/identities.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { shareOf } from '#core/http/share-of.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { emailContract } from './contract.ts';
import type { EmailDeps } from './deps.ts';
import { NOTICE_LIFE_MS, retireTokens } from './email-tokens.ts';
import { newPassword, normalPassword } from './password-rule.ts';
import { emailNotLinked } from './refusals.ts';

/** POST /api/auth/email/password. Wrong current passwords are counted per account, so nobody else can use them up. */
export const changePassword =
  ({ db, clock, passwords, counts, mail_queue }: EmailDeps): Handler<typeof emailContract.changePassword> =>
  async ({ body, caller, address, origin }) => {
    const { user_id, sign_in_id } = caller;
    const share = shareOf({ caller, address });
    const { email: account } = await listIdentities(db, user_id);
    if (account === null) throw emailNotLinked();
    const { email, password_hash: old } = account;
    const password = newPassword(body.new_password, email, 'new_password');
    const nowMs = clock.now();
    const now = isoTime(nowMs);
    const check = async () => (await passwords.verify(normalPassword(body.current_password), old, share)).matches;
    if (!(await counts.attempt({ user: user_id }, nowMs, check))) throw wrongPassword();
    const password_hash = await passwords.hash(password, share);
    await db.transaction().execute(async (transaction) => {
      await retireTokens(transaction, email, now);
      await endSignIns(transaction, user_id, sign_in_id, now);
      // Of two concurrent changes, the second one used a password that is no longer current.
      if (!(await setPassword(transaction, { email, old, password_hash, now }))) throw wrongPassword();
      await recordAudit(transaction, { actor: user_id, origin, action: 'auth.change_password', target: user_id }, now);
    });
    await mail_queue.post({ about: 'password_changed', email }, nowMs + NOTICE_LIFE_MS);
    return json({ status: 'password_changed' });
  };

const wrongPassword = (): Problem =>
  accountsProblem('auth.password_invalid', 'The current password is wrong.', {
    errors: [{ pointer: '/current_password', detail: 'is wrong' }],
  });
