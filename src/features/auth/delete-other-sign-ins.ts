import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import type { signInOperations } from './contract-sign-in.ts';
import type { AuthDeps } from './deps.ts';
import { endSignIns } from './end-sign-ins.ts';
import { noteEnd } from './noting.ts';

type Deps = Pick<AuthDeps, 'database' | 'clock'>;

/** DELETE /api/auth/sessions */
export const deleteOtherSignIns =
  ({ database: { db }, clock }: Deps): Handler<typeof signInOperations.deleteOtherSignIns> =>
  async ({ caller: { user_id, sign_in_id }, origin }) => {
    const now = isoTime(clock.now());
    const ended = await db.transaction().execute(async (trx) => {
      const count = await endSignIns(trx, user_id, sign_in_id, now);
      await noteEnd(trx, { actor: user_id, origin }, user_id, now);
      return count;
    });
    return json({ ended });
  };
