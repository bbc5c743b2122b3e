import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import type { TasksDeps } from '../deps.ts';
import { TASK_ID } from '../examples.ts';
import { noSuchTask } from '../refusals.ts';
import { TaskAnswer, TaskId, taskAnswer } from '../task-answer.ts';
import { findTask } from '../tasks.ts';

export const taskGet = ({ db }: Pick<TasksDeps, 'db'>) =>
  tool({
    name: 'task_get',
    title: 'Get a task',
    description: 'One of your tasks: its status, its output once it has ended, its receipt, and what to do next.',
    scope: 'read',
    input: Type.Object({ id: TaskId }, { additionalProperties: false }),
    output: TaskAnswer,
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { id: TASK_ID },
    run: async ({ id }, call) => {
      const task = await findTask(db, { user_id: ownerOf(call), id });
      if (task === undefined) throw noSuchTask();
      return taskAnswer(task);
    },
  });
