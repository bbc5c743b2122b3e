import { DELETED } from '#accounts/users/deleted.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchShare } from './refusals.ts';
import { removeShare } from './shares.ts';

/** DELETE /api/agents/tasks/{id}/shares/{share_id} */
export const unshareTask =
  ({ db, clock }: TasksDeps): Handler<typeof tasksContract.unshare> =>
  async ({ params: { id, share_id }, caller: { user_id }, origin }) => {
    await db.transaction().execute(async (trx) => {
      if (!(await removeShare(trx, { user_id, id }, share_id))) throw noSuchShare();
      const entry = { actor: user_id, origin, action: 'tasks.unshare', target: id, detail: { share_id } } as const;
      await recordAudit(trx, entry, isoTime(clock.now()));
    });
    return json(DELETED);
  };
