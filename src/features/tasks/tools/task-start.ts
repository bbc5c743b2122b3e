import { Type } from '../../../platform/json-schema/type.ts';
import { ownerOf } from '../../../platform/tools/owner.ts';
import { tool } from '../../../platform/tools/tool.ts';
import { askForInput } from '../ask-for-input.ts';
import { awaitRest } from '../await-rest.ts';
import { beginTask } from '../begin-task.ts';
import { changeTask } from '../change-task.ts';
import type { TasksDeps } from '../deps.ts';
import { TASK_ID } from '../examples.ts';
import { noSuchTask } from '../refusals.ts';
import { TaskAnswer, TaskId, taskAnswer } from '../task-answer.ts';
import { findTask } from '../tasks.ts';

/** A person who is asked again and again has something better to do. */
const MOST_QUESTIONS = 3;

export const taskStart = (deps: TasksDeps) =>
  tool({
    name: 'task_start',
    title: 'Start a task',
    description:
      'Run a task of task_create and answer its output where it ends within `wait_ms`; else it goes on, and task_get shows ' +
      'it. A task that asks for input is answered with `input`. Ending the call does not end the task: task_cancel does.',
    scope: 'write',
    input: Type.Object(
      {
        id: TaskId,
        wait_ms: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 60_000, default: 20_000, description: 'How long to wait for its end.' }),
        ),
        input: Type.Optional(Type.Unknown({ description: 'The answer, where the task is input_required.' })),
      },
      { additionalProperties: false },
    ),
    output: TaskAnswer,
    annotations: { read_only: false, destructive: true, idempotent: false, open_world: true },
    example: { id: TASK_ID, wait_ms: 0 },
    run: async ({ id, wait_ms = 20_000, input }, call) => {
      const of = { user_id: ownerOf(call), id };
      const ends_at_ms = performance.now() + wait_ms;
      let answer = input;
      for (let asked = 0; ; asked++) {
        if (answer !== undefined) {
          const known = await findTask(deps.db, of);
          if (known === undefined) throw noSuchTask();
          await changeTask(deps, of, known, { input: answer });
        }
        await beginTask(deps, of, call.traceparent);
        const task = await awaitRest(deps, of, ends_at_ms, call);
        if (task.status !== 'input_required' || asked === MOST_QUESTIONS) return taskAnswer(task);
        answer = await askForInput(task, call);
        if (answer === undefined) return taskAnswer(task);
      }
    },
  });
