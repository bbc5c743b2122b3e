import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import { quoted } from '#core/tools/words.ts';
import type { TasksDeps } from '../deps.ts';
import { TASK_STATES } from '../states.ts';
import { TaskLine, taskLine } from '../task-answer.ts';
import { listTasks } from '../tasks.ts';

export const taskList = ({ db }: Pick<TasksDeps, 'db'>) =>
  tool({
    name: 'task_list',
    title: 'List your tasks',
    description: 'Lists your tasks, newest first, without their outputs: task_get has those.',
    scope: 'read',
    input: Type.Object(
      {
        status: Type.Optional(Type.Enum([...TASK_STATES], { description: 'Only these.' })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'How many.' })),
        offset: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'From which on.' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ items: Type.Array(TaskLine), total_count: Type.Integer() }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { limit: 5 },
    run: async ({ status, limit = 10, offset = 0 }, call) => {
      const { items, total_count } = await listTasks(db, ownerOf(call), { status, limit, offset });
      const lines = items.map(
        (listedTask) =>
          `- ${listedTask.id} ${listedTask.status}${listedTask.status_reason === null ? '' : ` (${listedTask.status_reason})`}: ${listedTask.capability_kind} ${quoted(listedTask.capability_ref, 100)}, ${listedTask.created_at}`,
      );
      const end = offset + items.length;
      const more = end < total_count ? [`More: "offset": ${end}.`] : [];
      return {
        structured: { items: items.map(taskLine), total_count },
        text: [`${total_count} tasks.`, ...lines, ...more].join('\n'),
      };
    },
  });
