import { endSignIns } from '#accounts/sign-ins/end-sign-ins.ts';
import { findEmail, setPassword } from '#accounts/users/identities.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { shareOf } from '#core/http/share-of.ts';
import type { emailContract } from './contract.ts';
import type { EmailDeps } from './deps.ts';
import { findToken, linkUnknown, NOTICE_LIFE_MS, useToken } from './email-tokens.ts';
import { newPassword } from './password-rule.ts';

/** POST /api/auth/email/reset */
export const resetPassword =
  ({ db, clock, passwords, mail_queue }: EmailDeps): Handler<typeof emailContract.resetPassword> =>
  async ({ body, caller, address, origin }) => {
    const nowMs = clock.now();
    const now = isoTime(nowMs);
    // Looked up before the slow work, so that a request without a valid link causes none.
    const token = await findToken(db, body.token, ['reset'], now);
    const { email } = token;
    const password_hash = await passwords.hash(newPassword(body.password, email), shareOf({ caller, address }));
    await db.transaction().execute(async (transaction) => {
      await useToken(transaction, token, now);
      const account = await findEmail(transaction, email);
      if (account === undefined) throw linkUnknown();
      const { password_hash: old, user_id } = account;
      await endSignIns(transaction, user_id, null, now);
      // A change in the meantime was made by a signed-in user, so it stays.
      if (!(await setPassword(transaction, { email, old, password_hash, now }))) throw linkUnknown();
      const entry = { actor: user_id, origin, action: 'auth.change_password', target: user_id } as const;
      await recordAudit(transaction, { ...entry, detail: { by_mailed_link: true } }, now);
    });
    await mail_queue.post({ about: 'password_changed', email }, nowMs + NOTICE_LIFE_MS);
    return json({ status: 'password_changed' });
  };
