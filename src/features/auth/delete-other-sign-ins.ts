import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import type { signInOperations } from './contract-sign-in.ts';
import type { AuthDeps } from './deps.ts';
import { endSignIns } from './end-sign-ins.ts';

type Deps = Pick<AuthDeps, 'database' | 'clock'>;

/** DELETE /api/auth/sessions */
export const deleteOtherSignIns =
  ({ database: { db }, clock }: Deps): Handler<typeof signInOperations.deleteOtherSignIns> =>
  async ({ caller: { user_id, sign_in_id } }) =>
    json({
      ended: await db.transaction().execute((trx) => endSignIns(trx, user_id, sign_in_id, isoTime(clock.now()))),
    });
