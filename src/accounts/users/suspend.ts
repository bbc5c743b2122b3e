import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { accountRow } from './account-row.ts';
import type { operatingContract } from './contract-operating.ts';
import type { UsersDeps } from './deps.ts';
import { changedMeanwhile, operateOn } from './operating.ts';
import { operatorNotSuspended } from './suspension.ts';
import { changeUser } from './users.ts';

/** PUT /api/operator/users/{id}/suspension */
export const suspendUser =
  ({ database: { db }, clock }: Pick<UsersDeps, 'database' | 'clock'>): Handler<typeof operatingContract.suspend> =>
  async ({ params: { id }, body: { suspended, reason }, caller, origin }) => {
    const now = isoTime(clock.now());
    const by = { actor: caller.user_id, origin };
    const action = suspended ? 'users.suspend' : 'users.resume';
    const user = await operateOn(db, id, { by, action, reason, now }, async (trx, { is_operator, suspended_at }) => {
      if (is_operator === 1 && suspended) throw operatorNotSuspended();
      if ((suspended_at !== null) === suspended)
        throw changedMeanwhile(suspended ? 'The account is suspended already.' : 'The account is not suspended.');
      const change = { suspended_at: suspended ? now : null, suspended_reason: suspended ? reason : '' };
      await changeUser(trx, id, change, now);
      return {};
    });
    return json(accountRow(user));
  };
