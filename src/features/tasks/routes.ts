import type { Routes } from '../../platform/http/operation.ts';
import type { tasksContract } from './contract.ts';
import { createTask } from './create-task.ts';
import { deleteTask } from './delete-task.ts';
import type { TasksDeps } from './deps.ts';
import { getTask } from './get-task.ts';
import { getTaskTrace } from './get-task-trace.ts';
import { listTasks } from './list-tasks.ts';
import { runRig } from './run-rig.ts';
import { startTask } from './start-task.ts';
import { updateTask } from './update-task.ts';
import { watchTask } from './watch-task.ts';

export const tasksRoutes = (deps: TasksDeps): Routes<typeof tasksContract> => ({
  createTask: createTask(deps),
  listTasks: listTasks(deps),
  getTask: getTask(deps),
  updateTask: updateTask(deps),
  deleteTask: deleteTask(deps),
  startTask: startTask(deps),
  runRig: runRig(deps),
  getTaskTrace: getTaskTrace(deps),
  watchTask: watchTask(deps),
});
