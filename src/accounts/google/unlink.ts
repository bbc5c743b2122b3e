import { noteLink } from '#accounts/auth/noting.ts';
import { lastIdentity } from '#accounts/auth/refusals.ts';
import { accountsProblem } from '#accounts/errors.ts';
import { endSignIns } from '#accounts/sign-ins/end-sign-ins.ts';
import { DELETED } from '#accounts/users/deleted.ts';
import { unlinkIdentity } from '#accounts/users/identities.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { GoogleDeps } from './begin.ts';
import type { googleContract } from './contract.ts';

/** DELETE /api/auth/google */
export const unlinkGoogle =
  ({ database, clock }: GoogleDeps): Handler<typeof googleContract.unlink> =>
  async ({ caller: { user_id, sign_in_id }, origin }) => {
    const now = isoTime(clock.now());
    await database.db.transaction().execute(async (transaction) => {
      // Owners remove a Google account when they lose it: its new owner must not stay signed in.
      await endSignIns(transaction, user_id, sign_in_id, now);
      const outcome = await unlinkIdentity(transaction, user_id, { kind: 'google' });
      if (outcome === 'missing')
        throw accountsProblem('auth.not_found', 'No Google account linked to this account.', { reason: 'google' });
      if (outcome === 'last') throw lastIdentity();
      await noteLink(transaction, 'auth.unlink', { actor: user_id, origin }, 'google', now);
    });
    return json(DELETED);
  };
