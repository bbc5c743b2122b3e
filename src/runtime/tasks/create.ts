import { type Handler, jsonText } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { makeTask } from './make-task.ts';
import { wholeTask } from './task.ts';

export const createTask =
  (deps: TasksDeps): Handler<typeof tasksContract.create> =>
  async ({ body, caller }) => {
    const task = await makeTask(deps, caller.user_id, body);
    const headers = { location: `/api/agents/tasks/${task.id}` };
    return jsonText(wholeTask(task, { receipt_key: null, kept_ms: deps.kept_ms }), { status: 201, headers });
  };
