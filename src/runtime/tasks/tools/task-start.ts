import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { type ToolCall, tool } from '#core/tools/tool.ts';
import { quoted } from '#core/tools/words.ts';
import { changeTask } from '../change-task.ts';
import type { TasksDeps } from '../deps.ts';
import { enqueueTask } from '../enqueue.ts';
import { TASK_ID } from '../examples.ts';
import { noSuchTask } from '../refusals.ts';
import type { Task } from '../task.ts';
import { TaskAnswer, TaskId, taskAnswer } from '../task-answer.ts';
import { findTask } from '../tasks.ts';
import { waitForTask } from '../wait-for-task.ts';

export const taskStart = (deps: TasksDeps) =>
  tool({
    name: 'task_start',
    title: 'Start a task',
    description:
      'Run a task of task_create and return its output if it ends within `wait_ms`; otherwise it continues, and task_get shows ' +
      'it. Answer a task that asks for input with `input`. Ending the call does not end the task; use task_cancel for that.',
    scope: 'write',
    input: Type.Object(
      {
        id: TaskId,
        wait_ms: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 60_000,
            default: 20_000,
            description: 'How long to wait until it ends.',
          }),
        ),
        input: Type.Optional(Type.Unknown({ description: 'The answer if the task is input_required.' })),
      },
      { additionalProperties: false },
    ),
    output: TaskAnswer,
    annotations: { read_only: false, destructive: true, idempotent: false, open_world: true },
    example: { id: TASK_ID, wait_ms: 0 },
    run: async ({ id, wait_ms = 20_000, input }, call) => {
      const of = { user_id: ownerOf(call), id };
      const known = await findTask(deps.db, of);
      if (known === undefined) throw noSuchTask();
      const first = known.status === 'input_required' ? (input ?? (await askForInput(known, call))) : input;
      if (known.status === 'input_required' && first === undefined) return taskAnswer(known);
      const endsAtMs = performance.now() + wait_ms;
      const begin = async (task: Task, given: unknown): Promise<Task> => {
        if (given !== undefined) await changeTask(deps, of, task, { input: given });
        await enqueueTask(deps, of, call.traceparent);
        return waitForTask(deps, of, endsAtMs, call);
      };
      const task = await begin(known, first);
      // Asked once per call: a client that cannot wait for the person calls again, and gets the task in its current state.
      if (task.status !== 'input_required' || first !== undefined) return taskAnswer(task);
      const second = await askForInput(task, call);
      return taskAnswer(second === undefined ? task : await begin(task, second));
    },
  });

const Answer = Type.Object({
  input: Type.String({
    title: 'Input',
    description: 'The requested input: JSON or plain text.',
    maxLength: 10_000,
  }),
});

/** The answer of the person at the client; undefined if nobody can be asked. */
async function askForInput(task: Task, { elicit }: Pick<ToolCall, 'elicit'>): Promise<unknown> {
  const { detail = '' } = (task.error === null ? {} : JSON.parse(task.error)) as { detail?: string };
  const why = detail === '' ? '' : ` It says: ${quoted(detail, 500)}`;
  const said = await elicit(`The task ${quoted(task.title, 100)} asks for input to continue.${why}`, Answer);
  if (said === null) return undefined;
  try {
    return JSON.parse(said.input);
  } catch {
    return said.input;
  }
}
