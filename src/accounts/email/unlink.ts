import { noteLink } from '#accounts/auth/noting.ts';
import { lastIdentity } from '#accounts/auth/refusals.ts';
import { endSignIns } from '#accounts/sign-ins/end-sign-ins.ts';
import { DELETED } from '#accounts/users/deleted.ts';
import { listIdentities, unlinkIdentity } from '#accounts/users/identities.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { emailContract } from './contract.ts';
import type { EmailDeps } from './deps.ts';
import { NOTICE_LIFE_MS, retireTokens } from './email-tokens.ts';
import { emailNotLinked } from './refusals.ts';

/** DELETE /api/auth/email */
export const unlinkEmail =
  ({ db, clock, mail_queue }: EmailDeps): Handler<typeof emailContract.unlink> =>
  async ({ caller: { user_id, sign_in_id }, origin }) => {
    const nowMs = clock.now();
    const now = isoTime(nowMs);
    const email = await db.transaction().execute(async (transaction) => {
      const { email: account } = await listIdentities(transaction, user_id);
      if (account === null) throw emailNotLinked();
      await retireTokens(transaction, account.email, now);
      // Owners remove an address when they lose its mailbox: its new owner must not stay signed in.
      await endSignIns(transaction, user_id, sign_in_id, now);
      const outcome = await unlinkIdentity(transaction, user_id, { kind: 'email' });
      if (outcome === 'missing') throw emailNotLinked();
      if (outcome === 'last') throw lastIdentity();
      await noteLink(transaction, 'auth.unlink', { actor: user_id, origin }, 'email', now);
      return account.email;
    });
    await mail_queue.post({ about: 'unlinked', email }, nowMs + NOTICE_LIFE_MS);
    return json(DELETED);
  };
