import type { AuthDeps } from '#accounts/auth/deps.ts';
import { noteEnd } from '#accounts/auth/noting.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { signInsContract } from './contract.ts';
import { endSignIns } from './end-sign-ins.ts';

type Deps = Pick<AuthDeps, 'database' | 'clock'>;

/** DELETE /api/auth/sessions */
export const deleteOtherSignIns =
  ({ database: { db }, clock }: Deps): Handler<typeof signInsContract.deleteOthers> =>
  async ({ caller: { user_id, sign_in_id }, origin }) => {
    const now = isoTime(clock.now());
    const ended = await db.transaction().execute(async (trx) => {
      const count = await endSignIns(trx, user_id, sign_in_id, now);
      await noteEnd(trx, { actor: user_id, origin }, user_id, now);
      return count;
    });
    return json({ ended });
  };
