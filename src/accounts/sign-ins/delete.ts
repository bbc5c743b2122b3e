import type { AuthDeps } from '#accounts/auth/deps.ts';
import { noteEnd } from '#accounts/auth/noting.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { signInsContract } from './contract.ts';
import { endSignIn } from './end-sign-ins.ts';
import { noSuchSignIn } from './sign-in.ts';

/** DELETE /api/auth/sessions/{id} */
export const deleteSignIn =
  ({ database: { db }, clock }: Pick<AuthDeps, 'database' | 'clock'>): Handler<typeof signInsContract.delete> =>
  async ({ caller: { user_id }, params: { id }, origin }) => {
    const now = isoTime(clock.now());
    const isEnded = await db.transaction().execute(async (trx) => {
      const ended = await endSignIn(trx, user_id, id, now);
      if (ended) await noteEnd(trx, { actor: user_id, origin }, id, now);
      return ended;
    });
    if (!isEnded) throw noSuchSignIn();
    return json({ status: 'ended' });
  };
