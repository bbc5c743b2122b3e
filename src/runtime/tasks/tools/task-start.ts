import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { type ToolCall, tool } from '#core/tools/tool.ts';
import { quoted } from '#core/tools/words.ts';
import type { NativeQuestion } from '#runtime/native/native-scripts.ts';
import { changeTask } from '../change-task.ts';
import type { TasksDeps } from '../deps.ts';
import { enqueueTask } from '../enqueue.ts';
import { TASK_ID } from '../examples.ts';
import { noSuchTask } from '../refusals.ts';
import { shownTask, type Task } from '../task.ts';
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
        input: Type.Optional(
          Type.Unknown({ description: 'The answer if the task is input_required, such as {"install":true}.' }),
        ),
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
        if (given !== undefined) {
          const changed = await changeTask(deps, of, task, { input: given });
          // Declined.
          if (changed.status === 'rejected') return changed;
        }
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
  const { error, question } = shownTask(task);
  const why = error === null ? '' : ` It says: ${quoted(error.detail, 1_000)}`;
  const message = `The task ${quoted(task.title, 100)} asks for input to continue.${why}`;
  if (question !== null) return askForGrants(message, question, elicit);
  const said = await elicit(message, Answer);
  if (said === null) return undefined;
  try {
    return JSON.parse(said.input);
  } catch {
    return said.input;
  }
}

/** Secrets are stored for the skill: forms of clients are no place for them. */
async function askForGrants(
  message: string,
  { packages, environment }: NativeQuestion,
  elicit: ToolCall['elicit'],
): Promise<unknown> {
  const names = environment.filter(({ secret }) => !secret).map(({ name }) => name);
  const fields = names.map((name) => [name, Type.String({ title: name, maxLength: 8_192 })] as const);
  const install = Type.Boolean({ title: 'Install the packages', description: 'In the box of the script.' });
  const form = Type.Object(
    Object.assign(Object.fromEntries(fields), packages.length === 0 ? {} : { install }),
  ) as unknown as typeof GrantsForm;
  const said: Record<string, unknown> | null = await elicit(message, form);
  if (said === null) return undefined;
  const { install: accepts, ...values } = said;
  return Object.assign({ environment: values }, accepts === undefined ? {} : { install: accepts });
}

const GrantsForm = Type.Object({ install: Type.Optional(Type.Boolean()) });
