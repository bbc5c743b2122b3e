import type { AuthDeps } from '#accounts/auth/deps.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { signInsContract } from './contract.ts';
import { noSuchSignIn, shownSignIn } from './sign-in.ts';
import { findSignIn } from './sign-ins.ts';

/** GET /api/auth/sessions/{id} */
export const getSignIn =
  ({ database: { db }, clock }: Pick<AuthDeps, 'database' | 'clock'>): Handler<typeof signInsContract.get> =>
  async ({ caller: { user_id, sign_in_id }, params: { id } }) => {
    const row = await findSignIn(db, user_id, id, isoTime(clock.now()));
    if (row === undefined) throw noSuchSignIn();
    return json(shownSignIn(row, sign_in_id));
  };
