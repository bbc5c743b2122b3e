import type { Routes } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import { createTask } from './create.ts';
import { deleteTask } from './delete.ts';
import type { TasksDeps } from './deps.ts';
import { getTask } from './get.ts';
import { getTaskTrace } from './get-trace.ts';
import { listTasks } from './list.ts';
import { runRig } from './run-rig.ts';
import { startTask } from './start.ts';
import { updateTask } from './update.ts';
import { watchTask } from './watch.ts';

export const tasksRoutes = (deps: TasksDeps): Routes<typeof tasksContract> => ({
  create: createTask(deps),
  list: listTasks(deps),
  get: getTask(deps),
  update: updateTask(deps),
  delete: deleteTask(deps),
  start: startTask(deps),
  runRig: runRig(deps),
  getTrace: getTaskTrace(deps),
  watch: watchTask(deps),
});
