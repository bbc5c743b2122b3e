import { type Handler, jsonText } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask, notShareable } from './refusals.ts';
import { sharedRun } from './shared-run.ts';
import { isFinal } from './states.ts';
import { findTask } from './tasks.ts';

/** GET /api/agents/tasks/{id}/shares/preview */
export const previewShare =
  (deps: TasksDeps): Handler<typeof tasksContract.previewShare> =>
  async ({ params: { id }, query: { input, trace, names }, caller: { user_id } }) => {
    const task = await findTask(deps.db, { user_id, id });
    if (task === undefined) throw noSuchTask();
    if (!isFinal(task.status)) throw notShareable(task.status);
    return jsonText(await sharedRun(deps, task, { input, trace, names }));
  };
