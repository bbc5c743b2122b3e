import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import type { signInOperations } from './contract-sign-in.ts';
import type { AuthDeps } from './deps.ts';
import { noSuchSignIn } from './sign-ins/sign-in.ts';
import { revokeSignIn } from './sign-ins/sign-ins.ts';

/** DELETE /api/auth/sessions/{id} */
export const deleteSignIn =
  ({ database: { db }, clock }: Pick<AuthDeps, 'database' | 'clock'>): Handler<typeof signInOperations.deleteSignIn> =>
  async ({ caller: { user_id }, params: { id } }) => {
    if (!(await revokeSignIn(db, user_id, id, isoTime(clock.now())))) throw noSuchSignIn();
    return json({ status: 'ended' });
  };
