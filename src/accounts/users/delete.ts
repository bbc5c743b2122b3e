import { forgetReasonsAbout, recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { usersContract } from './contract.ts';
import { DELETED } from './deleted.ts';
import type { UsersDeps } from './deps.ts';
import { readAccount } from './holding.ts';
import { deleteUserRow, lockUser, noSuchUser } from './users.ts';

/** DELETE /api/users/{id}. All or nothing: a failure in one holding leaves the account unchanged. */
export const deleteUser =
  ({ database, clock, holdings }: UsersDeps): Handler<typeof usersContract.delete> =>
  async ({ params: { id }, caller, origin }) => {
    await database.db.transaction().execute(async (trx) => {
      const before = await readAccount(trx, id);
      for (const holding of holdings) await holding.release?.(trx, before);
      if (!(await lockUser(trx, id))) throw noSuchUser();
      const account = await readAccount(trx, id);
      for (const holding of holdings) await holding.erase?.(trx, account);
      await deleteUserRow(trx, id);
      await forgetReasonsAbout(trx, id);
      const now = isoTime(clock.now());
      await recordAudit(trx, { actor: caller.user_id, origin, action: 'users.delete', target: id }, now);
    });
    return json(DELETED);
  };
