import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { accountRow } from './account-row.ts';
import type { operatingContract } from './contract-operating.ts';
import type { UsersDeps } from './deps.ts';
import { changedMeanwhile, operateOn } from './operating.ts';
import { changeUser } from './users.ts';

/** PUT /api/operator/users/{id}/tier */
export const setUserTier =
  ({ database: { db }, clock }: Pick<UsersDeps, 'database' | 'clock'>): Handler<typeof operatingContract.setTier> =>
  async ({ params: { id }, body: { tier, from, reason }, caller, origin }) => {
    const now = isoTime(clock.now());
    const by = { actor: caller.user_id, origin };
    const user = await operateOn(db, id, { by, action: 'users.set_tier', reason, now }, async (trx, before) => {
      if (before.tier !== from) throw changedMeanwhile(`The tier is ${before.tier}, not ${from}.`);
      await changeUser(trx, id, { tier }, now);
      return { from, to: tier };
    });
    return json(accountRow(user));
  };
