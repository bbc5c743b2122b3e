import { Problem } from '#core/problem/problem.ts';
import type { TaskState } from './states.ts';

export const noSuchTask = (): Problem => new Problem('not_found', 'tasks.not_found', 'You have no task of this id.');

export const notChangeable = (status: TaskState): Problem =>
  new Problem(
    'conflict',
    'tasks.not_changeable',
    `The task is ${status}; that cannot be changed any more. Make a new task.`,
    { extensions: { task_status: status } },
  );

export const notStartable = (status: TaskState): Problem =>
  new Problem(
    'conflict',
    'tasks.not_startable',
    `The task is ${status}; only one that is submitted, input_required or auth_required can be started.`,
    { extensions: { task_status: status } },
  );

export const notDeletable = (status: TaskState): Problem =>
  new Problem('conflict', 'tasks.not_deletable', `The task is ${status}; cancel it, and delete it when it has ended.`, {
    extensions: { task_status: status },
  });

export const tooManyTasks = (most: number): Problem =>
  new Problem(
    'conflict',
    'tasks.too_many',
    `You keep ${most} tasks, and no more are kept. Delete some that have ended: DELETE /api/agents/tasks/{id}.`,
  );

export const queueFull = (most: number): Problem =>
  new Problem(
    'rate_limited',
    'tasks.queue_full',
    `You have ${most} tasks that are at work or wait for their turn. Start this one when some of them have ended.`,
    { headers: { 'retry-after': '5' } },
  );

export const tooManyStarts = (most: number, wait_ms: number): Problem =>
  new Problem(
    'quota_exceeded',
    'tasks.limit_exceeded',
    `You have started ${most} tasks in the last 24 hours. The task was not started; start it later.`,
    { headers: { 'retry-after': `${Math.max(1, Math.ceil(wait_ms / 1_000))}` } },
  );
