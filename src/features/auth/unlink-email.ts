import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import { DELETED } from '../users/deleted.ts';
import { listIdentities, unlinkIdentity } from '../users/identities.ts';
import type { emailOperations } from './contract-email.ts';
import type { EmailDeps } from './email/deps.ts';
import { NOTICE_LIFE_MS, retireTokens } from './email/email-tokens.ts';
import { emailNotLinked } from './email/refusals.ts';
import { endSignIns } from './end-sign-ins.ts';
import { noteLink } from './noting.ts';
import { lastIdentity } from './refusals.ts';

/** DELETE /api/auth/email */
export const unlinkEmail =
  ({ db, clock, letters }: EmailDeps): Handler<typeof emailOperations.unlinkEmail> =>
  async ({ caller: { user_id, sign_in_id }, origin }) => {
    const now_ms = clock.now();
    const now = isoTime(now_ms);
    const email = await db.transaction().execute(async (transaction) => {
      const { email: account } = await listIdentities(transaction, user_id);
      if (account === null) throw emailNotLinked();
      await retireTokens(transaction, account.email, now);
      // An address is taken off because its mailbox is no longer one's own: whoever has it must not stay signed in.
      await endSignIns(transaction, user_id, sign_in_id, now);
      const outcome = await unlinkIdentity(transaction, user_id, { kind: 'email' });
      if (outcome === 'missing') throw emailNotLinked();
      if (outcome === 'last') throw lastIdentity();
      await noteLink(transaction, 'auth.unlink', { actor: user_id, origin }, 'email', now);
      return account.email;
    });
    await letters.post({ about: 'unlinked', email }, now_ms + NOTICE_LIFE_MS);
    return json(DELETED);
  };
