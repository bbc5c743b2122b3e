import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import type { TasksDeps } from '../deps.ts';
import { enqueueMade } from '../enqueue.ts';
import { makeTask } from '../make-task.ts';
import { TaskAnswer, TaskWait, taskAnswer } from '../task-answer.ts';
import { waitForTask } from '../wait-for-task.ts';

export const taskRun = (deps: TasksDeps) =>
  tool({
    name: 'task_run',
    title: 'Run a capability',
    description:
      'Run a capability and return its output with trace and receipt: task_create and task_start in one call. If it does ' +
      'not end within `wait_ms`, it continues, and task_get shows it.',
    scope: 'write',
    input: Type.Object(
      {
        ref: Type.String({
          minLength: 1,
          maxLength: 1_000,
          description: 'As in task_create: a name from any list or search.',
        }),
        input: Type.Optional(
          Type.Unknown({ description: 'The JSON input. For a listed MCP server: {"tool", "arguments"}.' }),
        ),
        wait_ms: TaskWait,
      },
      { additionalProperties: false },
    ),
    output: TaskAnswer,
    annotations: { read_only: false, destructive: true, idempotent: false, open_world: true },
    example: { ref: 'skill/json-diff', input: { before: { port: 80 }, after: { port: 8080 } } },
    run: async ({ ref, input, wait_ms = 20_000 }, call) => {
      const endsAtMs = performance.now() + wait_ms;
      const user_id = ownerOf(call);
      const { id } = await makeTask(deps, user_id, { capability: { ref }, input });
      await enqueueMade(deps, { user_id, id }, call.traceparent);
      return taskAnswer(await waitForTask(deps, { user_id, id }, endsAtMs, call));
    },
  });
