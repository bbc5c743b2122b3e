import type { Holding } from '#accounts/users/holding.ts';
import type { Database } from '#core/db/open.ts';
import { scheduleExpiry } from '#core/jobs/expiry.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { Threads } from '#core/threads/threads.ts';
import type { Runs } from '#runtime/runs/open-runs.ts';
import type { TasksDeps } from './deps.ts';
import { EXPIRE_TASKS, expireTasksKind } from './expire-tasks.ts';
import { tasksHolding } from './export-tasks.ts';
import { fairScheduler, TASK_JOB } from './fair-scheduler.ts';
import { taskChannel } from './pub-sub.ts';
import { type RunTaskDeps, runTask } from './run-task.ts';
import { EXPIRE_EVENTS, expireEventsKind, newestEvents } from './task-events.ts';

/** The door to tasks: their operations, and the work for the worker. */
export interface Tasks {
  /** For the operations and MCP tools, which are loaded at their first use. */
  deps: TasksDeps;
  kinds: Record<string, JobKind>;
  /** Starts the repeated jobs. For worker processes. */
  schedule(): Promise<void>;
  holding: Holding;
  /** Ends the streams of watchers. */
  close(): void;
}

interface TasksOptions
  extends Omit<TasksDeps & RunTaskDeps, 'runs' | 'db' | 'channel' | 'scheduler' | 'stopping' | 'ended'> {
  database: Database;
  runs: Pick<Runs, 'prepare' | 'attempt'>;
  jobs: Pick<JobTable, 'put'>;
  at_work_per_user: number;
  concurrency: number;
  /** How long console output can be replayed. */
  events_kept_ms: number;
  wake(): void;
  threads?: Threads;
}

export function openTasks({ database, threads, ...options }: TasksOptions): Tasks {
  const { db } = database;
  const { jobs, concurrency } = options;
  const channel = taskChannel({ threads, newest: (ids) => newestEvents(db, ids) });
  const stopping = new AbortController();
  const scheduler = fairScheduler({ ...options, db });
  return {
    deps: { ...options, db, channel, scheduler, stopping: stopping.signal },
    kinds: {
      [TASK_JOB]: {
        concurrency,
        // The rest is for others, however many tasks one user or many new accounts have due.
        per_share: Math.ceil(concurrency / 2),
        of_guests: Math.ceil((concurrency * 3) / 4),
        handler: runTask({ ...options, db, channel, ended: scheduler.dispatch }),
      },
      ...scheduler.kinds,
      ...expireEventsKind({ ...options, db }),
      ...expireTasksKind({ ...options, db }),
    },
    schedule: async () => {
      await scheduler.schedule();
      for (const kind of [EXPIRE_EVENTS, EXPIRE_TASKS]) await scheduleExpiry(jobs, kind);
    },
    holding: tasksHolding,
    close: () => stopping.abort(),
  };
}
