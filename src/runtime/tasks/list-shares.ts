import { type Handler, json } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask } from './refusals.ts';
import { listTaskShares, shownShare } from './shares.ts';
import { findTask } from './tasks.ts';

/** GET /api/agents/tasks/{id}/shares */
export const listShares =
  ({ db }: TasksDeps): Handler<typeof tasksContract.listShares> =>
  async ({ params: { id }, caller: { user_id } }) => {
    if ((await findTask(db, { user_id, id })) === undefined) throw noSuchTask();
    return json({ items: (await listTaskShares(db, { user_id, id })).map(shownShare) });
  };
