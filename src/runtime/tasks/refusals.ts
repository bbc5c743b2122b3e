import { accountsProblem } from '#accounts/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { TaskState } from './states.ts';

export const noSuchTask = (): Problem => runtimeProblem('tasks.not_found', 'You have no task of this id.');

export const noSuchShare = (): Problem =>
  runtimeProblem('shares.not_found', 'This link does not work. It may have expired, or its owner revoked it.');

export const notShareable = (status: TaskState): Problem =>
  runtimeProblem('tasks.conflict', `The task is ${status}; it can be shared when it has ended.`, {
    reason: 'not_shareable',
    extensions: { task_status: status },
  });

export const tooManyShares = (status: TaskState, most: number): Problem =>
  runtimeProblem('tasks.conflict', `The run has ${most} links, the maximum. Revoke one first.`, {
    reason: 'too_many_shares',
    extensions: { task_status: status },
  });

export const notComparable = (status: TaskState): Problem =>
  runtimeProblem('tasks.conflict', 'The two runs are of different capabilities.', {
    reason: 'not_comparable',
    extensions: { task_status: status },
  });

export const capabilityChanged = (status: TaskState): Problem =>
  runtimeProblem(
    'tasks.conflict',
    'The capability is no longer what this run used. Create a new task to run it as it is now.',
    {
      reason: 'capability_changed',
      extensions: { task_status: status },
    },
  );

export const notChangeable = (status: TaskState): Problem =>
  runtimeProblem('tasks.conflict', `The task is ${status} and can no longer be changed. Create a new task.`, {
    reason: 'not_changeable',
    extensions: { task_status: status },
  });

export const notStartable = (status: TaskState): Problem =>
  runtimeProblem(
    'tasks.conflict',
    `The task is ${status}; only one that is submitted, input_required or auth_required can be started.`,
    { reason: 'not_startable', extensions: { task_status: status } },
  );

export const personRequired = (status: TaskState, page: string): Problem =>
  runtimeProblem('tasks.conflict', `Only its owner can answer this. Ask them to open ${page}.`, {
    reason: 'person_required',
    extensions: { task_status: status },
  });

export const notDeletable = (status: TaskState): Problem =>
  runtimeProblem('tasks.conflict', `The task is ${status}; cancel it, and delete it when it has ended.`, {
    reason: 'not_deletable',
    extensions: { task_status: status },
  });

export const tooManyTasks = (most: number): Problem =>
  accountsProblem(
    'users.limit_exceeded',
    `You have ${most} tasks, the maximum. Delete some that have ended: DELETE /api/agents/tasks/{id}.`,
    { reason: 'tasks' },
  );

export const queueFull = (most: number): Problem =>
  runtimeProblem(
    'tasks.queue_limit_exceeded',
    `You have ${most} running or queued tasks, the maximum. Start this one when some of them have ended.`,
    { headers: { 'retry-after': '5' } },
  );

export const tooManyStarts = (most: number, wait_ms: number): Problem =>
  runtimeProblem(
    'tasks.limit_exceeded',
    `You have started ${most} tasks in the last 24 hours. The task was not started; start it later.`,
    { headers: { 'retry-after': `${Math.max(1, Math.ceil(wait_ms / 1_000))}` } },
  );
