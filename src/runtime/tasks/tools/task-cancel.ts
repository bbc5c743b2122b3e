import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import { cancelTask } from '../cancel-task.ts';
import type { TasksDeps } from '../deps.ts';
import { TASK_ID } from '../examples.ts';
import { TaskAnswer, TaskId, taskAnswer } from '../task-answer.ts';

export const taskCancel = (deps: TasksDeps) =>
  tool({
    name: 'task_cancel',
    title: 'Cancel a task',
    description:
      'Cancel one of your tasks: at once if nothing runs, otherwise within about a second (it shows `working` ' +
      'until then). Side effects so far remain. Cancelling twice is not an error.',
    scope: 'write',
    input: Type.Object({ id: TaskId }, { additionalProperties: false }),
    output: TaskAnswer,
    annotations: { read_only: false, destructive: true, idempotent: true, open_world: false },
    example: { id: TASK_ID },
    run: async ({ id }, call) => {
      const task = await cancelTask(deps, { user_id: ownerOf(call), id });
      deps.channel.publish(task.id);
      return taskAnswer(task);
    },
  });
