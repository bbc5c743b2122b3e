import type { Tool } from '#core/tools/tool.ts';
import type { TasksDeps } from './deps.ts';
import { rigRun } from './tools/rig-run.ts';
import { taskCancel } from './tools/task-cancel.ts';
import { taskCreate } from './tools/task-create.ts';
import { taskGet } from './tools/task-get.ts';
import { taskList } from './tools/task-list.ts';
import { taskRun } from './tools/task-run.ts';
import { taskStart } from './tools/task-start.ts';

/** MCP tools for tasks. */
export const tasksTools = (deps: TasksDeps): Tool[] => [
  taskCreate(deps),
  taskStart(deps),
  taskRun(deps),
  taskGet(deps),
  taskList(deps),
  taskCancel(deps),
  rigRun(deps),
];
