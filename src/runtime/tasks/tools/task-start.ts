import { Type } from '#core/json-schema/type.ts';
import { MOST_QUESTIONS } from '#core/mcp/questions.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { type ToolCall, tool } from '#core/tools/tool.ts';
import { changeTask } from '../change-task.ts';
import type { TasksDeps } from '../deps.ts';
import { enqueueTask } from '../enqueue.ts';
import { TASK_ID } from '../examples.ts';
import { readAnswer } from '../given.ts';
import { noSuchTask, personRequired } from '../refusals.ts';
import { shownTask, type Task } from '../task.ts';
import { TaskAnswer, TaskId, TaskWait, taskAnswer } from '../task-answer.ts';
import { findTask } from '../tasks.ts';
import { waitForTask } from '../wait-for-task.ts';
import { askForInput } from './ask-for-input.ts';

export const taskStart = (deps: TasksDeps) =>
  tool({
    name: 'task_start',
    title: 'Start a task',
    description:
      'Run a task of task_create and return its output if it ends within `wait_ms`; otherwise it continues, and task_get shows ' +
      'it. Answer a task that asks for input with `input`; its owner is asked to install packages and to answer servers. Ending the call does not end the task; use task_cancel for that.',
    scope: 'write',
    input: Type.Object(
      {
        id: TaskId,
        wait_ms: TaskWait,
        input: Type.Optional(
          Type.Unknown({
            description: 'The answer if the task is input_required, such as {"environment":{"REGION":"eu"}}.',
          }),
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
      const page = `${deps.base_url}/runs/${id}`;
      const first = await firstInput(known, input, call, page);
      if (known.status === 'input_required' && first === undefined) return taskAnswer(known);
      let endsAtMs = performance.now() + wait_ms;
      const begin = async (task: Task, given: unknown): Promise<Task> => {
        const changed = given === undefined ? task : await changeTask(deps, of, task, { input: given });
        // Declined.
        if (changed.status === 'rejected') return changed;
        // A run that a server asks something during continues automatically.
        if (!asksForServer(task)) await enqueueTask(deps, of, call.traceparent);
        return waitForTask(deps, of, endsAtMs, call);
      };
      let task = await begin(known, first);
      // A task asks its own questions once per call: a client that cannot wait for the person calls again.
      let isOpen = first === undefined;
      for (let round = 0; round < MOST_ROUNDS && task.status === 'input_required'; round++) {
        if (!isOpen && !asksForServer(task)) break;
        isOpen &&= asksForServer(task);
        const askedAtMs = performance.now();
        const next = await askForInput(task, call, page);
        endsAtMs += performance.now() - askedAtMs;
        if (next === undefined) break;
        task = await begin(task, next);
      }
      return taskAnswer(task);
    },
  });

/** Questions of servers in one call, and one of the task itself. */
const MOST_ROUNDS = MOST_QUESTIONS + 1;

const asksForServer = ({ status, asking }: Task): boolean => status === 'input_required' && asking !== null;

/**
 * Models answer with `input` what is about the work. What installs packages or goes to the person whom a server asks needs
 * that person, so it is asked at the client. Throws `tasks.conflict` (`person_required`) if the client cannot ask.
 */
async function firstInput(known: Task, input: unknown, call: ToolCall, page: string): Promise<unknown> {
  if (known.status !== 'input_required') return input;
  if (input === undefined) return askForInput(known, call, page);
  if (!needsPerson(known, input)) return input;
  if (!call.can('elicitation/create')) throw personRequired(known.status, page);
  return askForInput(known, call, page);
}

function needsPerson(known: Task, input: unknown): boolean {
  const { question, server_question } = shownTask(known);
  if (server_question !== null) return true;
  return question !== null && readAnswer(input, question).given.install === true && question.packages.length > 0;
}
