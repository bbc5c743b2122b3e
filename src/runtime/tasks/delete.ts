import { DELETED } from '#accounts/users/deleted.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask, notDeletable } from './refusals.ts';
import { findTask, removeTask } from './tasks.ts';

/** DELETE /api/agents/tasks/{id}. A running task is cancelled first. */
export const deleteTask =
  ({ db }: TasksDeps): Handler<typeof tasksContract.delete> =>
  async ({ params: { id }, caller: { user_id } }) => {
    if (await removeTask(db, { user_id, id })) return json(DELETED);
    const known = await findTask(db, { user_id, id });
    throw known === undefined ? noSuchTask() : notDeletable(known.status);
  };
