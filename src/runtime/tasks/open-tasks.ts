import type { Holding } from '#accounts/users/holding.ts';
import type { Database } from '#core/db/open.ts';
import { scheduleExpiry } from '#core/jobs/expiry.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { Threads } from '#core/threads/threads.ts';
import type { Runs } from '#runtime/runs/open-runs.ts';
import type { TasksDeps } from './deps.ts';
import { EXPIRE_EVENTS, expireEventsKind } from './expire-events.ts';
import { tasksHolding } from './export-tasks.ts';
import { awaitNews } from './news.ts';
import { type RunTaskDeps, runTask } from './run-task.ts';
import { taskSignals } from './signals.ts';
import { newestEvents } from './task-events.ts';
import { carry, giveUserTurns, scheduleSweep, sweepKind, TASK_JOB } from './turns.ts';

/** The door to tasks: their operations, and the work for the worker. */
export interface Tasks {
  /** For the operations and for what is offered to models, which are loaded with their first use. */
  deps: TasksDeps;
  kinds: Record<string, JobKind>;
  /** Has the repeated jobs done from now on. For processes that work. */
  schedule(): Promise<void>;
  holding: Holding;
  /** Ends the streams of watchers. */
  close(): void;
}

interface TasksOptions
  extends Omit<
    TasksDeps & RunTaskDeps,
    'runs' | 'db' | 'signals' | 'awaitNews' | 'giveTurns' | 'hurry' | 'stopping' | 'ended'
  > {
  database: Database;
  runs: Pick<Runs, 'prepare' | 'attempt'>;
  jobs: Pick<JobTable, 'put'>;
  at_work_per_user: number;
  concurrency: number;
  /** How long what runs printed can be watched again. */
  events_kept_ms: number;
  wake(): void;
  threads?: Threads;
}

export function openTasks({ database, threads, ...options }: TasksOptions): Tasks {
  const { db } = database;
  const { jobs, clock, at_work_per_user, wake, concurrency } = options;
  const signals = taskSignals(threads);
  const stopping = new AbortController();
  const turns = { db, clock, jobs, at_work_per_user, wake };
  const giveTurns = (user_id: string) => giveUserTurns(turns, user_id);
  const deps: TasksDeps = {
    ...options,
    db,
    signals,
    giveTurns,
    stopping: stopping.signal,
    awaitNews: awaitNews({ signals, newest: (ids) => newestEvents(db, ids) }),
    hurry: ({ user_id, id }) => carry(turns, user_id, [id]),
  };
  return {
    deps,
    kinds: {
      [TASK_JOB]: {
        concurrency,
        // The rest is for others, however many tasks one user or many new accounts have due.
        per_share: Math.ceil(concurrency / 2),
        of_guests: Math.ceil((concurrency * 3) / 4),
        handler: runTask({ ...options, db, signals, ended: giveTurns }),
      },
      ...sweepKind(turns),
      ...expireEventsKind({ ...options, db }),
    },
    schedule: async () => {
      await scheduleSweep(jobs);
      await scheduleExpiry(jobs, EXPIRE_EVENTS);
    },
    holding: tasksHolding,
    close: () => stopping.abort(),
  };
}
