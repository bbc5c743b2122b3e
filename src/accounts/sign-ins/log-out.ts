import type { AuthDeps } from '#accounts/auth/deps.ts';
import { noteEnd } from '#accounts/auth/noting.ts';
import { signInNeeded } from '#accounts/auth/refusals.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { signInsContract } from './contract.ts';
import { revokeSignIn } from './sign-ins.ts';

/** POST /api/auth/logout */
export const logOut =
  ({ database: { db }, clock }: Pick<AuthDeps, 'database' | 'clock'>): Handler<typeof signInsContract.logOut> =>
  async ({ caller: { user_id, sign_in_id }, origin }) => {
    if (sign_in_id === null) throw signInNeeded();
    const now = isoTime(clock.now());
    await db.transaction().execute(async (trx) => {
      if (await revokeSignIn(trx, user_id, sign_in_id, now))
        await noteEnd(trx, { actor: user_id, origin }, sign_in_id, now);
    });
    return json({ status: 'ended' });
  };
