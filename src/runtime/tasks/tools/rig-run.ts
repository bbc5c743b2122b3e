import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import { RIG_LINE_EXAMPLE } from '#runtime/rigs/examples.ts';
import type { TasksDeps } from '../deps.ts';
import { enqueueRig } from '../enqueue.ts';
import { TaskAnswer, TaskWait, taskAnswer } from '../task-answer.ts';
import { waitForTask } from '../wait-for-task.ts';

export const rigRun = (deps: TasksDeps) =>
  tool({
    name: 'rig_run',
    title: 'Run a rig',
    description:
      'Run a locked rig as a task and return its output if it ends within `wait_ms`; otherwise call task_get later. A rig of ' +
      'which a part differs from the lock fails with rigs.conflict; rig_verify shows the differences.',
    scope: 'write',
    input: Type.Object(
      {
        rig: Type.String({ minLength: 1, maxLength: 100, description: 'Its id or name.' }),
        input: Type.Optional(Type.Object({}, { description: 'Its parameters; those with a default are optional.' })),
        version: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Defaults to the newest.' })),
        wait_ms: TaskWait,
      },
      { additionalProperties: false },
    ),
    output: TaskAnswer,
    annotations: { read_only: false, destructive: true, idempotent: false, open_world: true },
    example: { rig: RIG_LINE_EXAMPLE.name, input: { before: { port: 80 }, after: { port: 8080 } }, wait_ms: 0 },
    run: async ({ wait_ms = 20_000, ...order }, call) => {
      const endsAtMs = performance.now() + wait_ms;
      const user_id = ownerOf(call);
      const task = await enqueueRig(deps, user_id, order, call.traceparent);
      return taskAnswer(await waitForTask(deps, { user_id, id: task.id }, endsAtMs, call));
    },
  });
