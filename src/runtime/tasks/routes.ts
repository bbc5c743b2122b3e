import type { Routes } from '#core/http/operation.ts';
import { runTaskAgain } from './again.ts';
import { compareTasks } from './compare.ts';
import type { tasksContract } from './contract.ts';
import { createTask } from './create.ts';
import { deleteTask } from './delete.ts';
import type { TasksDeps } from './deps.ts';
import { getTask } from './get.ts';
import { getSharedRun } from './get-shared.ts';
import { getTaskTrace } from './get-trace.ts';
import { listTasks } from './list.ts';
import { listShares } from './list-shares.ts';
import { previewShare } from './preview-share.ts';
import { runRig } from './run-rig.ts';
import { shareTask } from './share.ts';
import { startTask } from './start.ts';
import { unshareTask } from './unshare.ts';
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
  again: runTaskAgain(deps),
  compare: compareTasks(deps),
  share: shareTask(deps),
  listShares: listShares(deps),
  previewShare: previewShare(deps),
  unshare: unshareTask(deps),
  getShared: getSharedRun(deps),
});
