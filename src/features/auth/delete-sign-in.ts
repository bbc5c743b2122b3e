import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import type { signInOperations } from './contract-sign-in.ts';
import type { AuthDeps } from './deps.ts';
import { endSignIn } from './end-sign-ins.ts';
import { noSuchSignIn } from './sign-ins/sign-in.ts';

/** DELETE /api/auth/sessions/{id} */
export const deleteSignIn =
  ({ database: { db }, clock }: Pick<AuthDeps, 'database' | 'clock'>): Handler<typeof signInOperations.deleteSignIn> =>
  async ({ caller: { user_id }, params: { id } }) => {
    const is_ended = await db.transaction().execute((trx) => endSignIn(trx, user_id, id, isoTime(clock.now())));
    if (!is_ended) throw noSuchSignIn();
    return json({ status: 'ended' });
  };
