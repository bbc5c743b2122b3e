import { lockUser } from '#accounts/users/users.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { coreProblem } from '#core/errors.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { newId } from '#core/ids.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask, notShareable, tooManyShares } from './refusals.ts';
import { hashOfShare, insertShare, listTaskShares, newShareToken, shownShare } from './shares.ts';
import { isFinal } from './states.ts';
import { findTask, holdTask } from './tasks.ts';

const MOST_SHARES = 20;
const ROW_BYTES = 512;

/** POST /api/agents/tasks/{id}/shares */
export const shareTask =
  ({ db, clock, storage }: TasksDeps): Handler<typeof tasksContract.share> =>
  async ({ params: { id }, body, caller: { user_id }, origin }) => {
    const { input = false, trace = false, names = false, expires_at = null } = body;
    const now = isoTime(clock.now());
    if (expires_at !== null && Date.parse(expires_at) <= clock.now())
      throw coreProblem('http.invalid', 'expires_at must be in the future.', {
        reason: 'input',
        errors: [{ pointer: '/body/expires_at', detail: 'must be in the future' }],
      });
    const task = await findTask(db, { user_id, id });
    if (task === undefined) throw noSuchTask();
    if (!isFinal(task.status)) throw notShareable(task.status);
    await storage.require(db, user_id, 'tasks', ROW_BYTES);
    const token = newShareToken();
    const share = {
      id: newId(),
      task_id: id,
      user_id,
      token_hash: hashOfShare(token),
      shows: JSON.stringify({ input, trace, names }),
      created_at: now,
      expires_at: expires_at === null ? null : isoTime(Date.parse(expires_at)),
    };
    await db.transaction().execute(async (trx) => {
      // Held so that links that are made at once cannot pass the limit together.
      if (!(await lockUser(trx, user_id))) throw noSuchTask();
      if ((await listTaskShares(trx, { user_id, id })).length >= MOST_SHARES)
        throw tooManyShares(task.status, MOST_SHARES);
      // It may have been deleted since it was read.
      if (!(await holdTask(trx, { user_id, id }))) throw noSuchTask();
      await insertShare(trx, share);
      const detail = { share_id: share.id, input, trace, names };
      await recordAudit(trx, { actor: user_id, origin, action: 'tasks.share', target: id, detail }, now);
    });
    return json({ ...shownShare(share), token, path: `/r/${token}` }, { status: 201 });
  };
