import { DELETED } from '#accounts/users/deleted.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { grantsContract } from './contract.ts';
import type { GrantsOperationsDeps } from './deps.ts';
import { grantPlace } from './shown-grants.ts';
import { deleteGrant, listingOf } from './skill-grants.ts';
import { deleteLocks } from './skill-locks.ts';

/** Also of a skill whose listing is gone. */
export const deleteGrants =
  (deps: GrantsOperationsDeps): Handler<typeof grantsContract.delete> =>
  async ({ params, caller, origin }) => {
    const { db, clock } = deps;
    const { user_id } = caller;
    const { skill } = await grantPlace(deps, params, user_id);
    await db.transaction().execute(async (trx) => {
      await deleteLocks(trx, Object.assign({ user_id }, listingOf(skill)));
      if (!(await deleteGrant(trx, { user_id, skill }))) return;
      const entry = { actor: user_id, origin, action: 'skills.forget', target: skill } as const;
      await recordAudit(trx, entry, isoTime(clock.now()));
    });
    return json(DELETED);
  };
