import type { Database } from '../../platform/db/open.ts';
import type { Routes } from '../../platform/http/operation.ts';
import type { JobTable } from '../../platform/jobs/jobs.ts';
import type { JobKind } from '../../platform/jobs/worker.ts';
import type { Holding } from '../users/holding.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { tasksRoutes } from './routes.ts';
import { type RunTaskDeps, runTask } from './run-task.ts';
import { taskSignals } from './signals.ts';
import { shownTask } from './task.ts';
import { listTasks } from './tasks.ts';
import { giveUserTurns, scheduleSweep, sweepKind, TASK_JOB } from './turns.ts';

/** The door to tasks: their operations, and the work for the worker. */
export interface Tasks {
  routes: Routes<typeof tasksContract>;
  kinds: Record<string, JobKind>;
  /** Has the sweep done from now on. For processes that work. */
  schedule(): Promise<void>;
  holding: Holding;
  /** Ends the streams of watchers. */
  close(): void;
}

export interface TasksOptions
  extends Omit<TasksDeps & RunTaskDeps, 'db' | 'signals' | 'giveTurns' | 'stopping' | 'ended'> {
  database: Database;
  jobs: Pick<JobTable, 'put'>;
  at_work_per_user: number;
  concurrency: number;
  wake(): void;
}

export function openTasks({ database, ...options }: TasksOptions): Tasks {
  const { db } = database;
  const { jobs, clock, at_work_per_user, wake, concurrency } = options;
  const signals = taskSignals();
  const stopping = new AbortController();
  const turns = { db, clock, jobs, at_work_per_user, wake };
  const giveTurns = (user_id: string) => giveUserTurns(turns, user_id);
  return {
    routes: tasksRoutes({ ...options, db, signals, giveTurns, stopping: stopping.signal }),
    kinds: {
      [TASK_JOB]: { concurrency, handler: runTask({ ...options, db, signals, ended: giveTurns }) },
      ...sweepKind(turns),
    },
    schedule: () => scheduleSweep(jobs),
    holding,
    close: () => stopping.abort(),
  };
}

const MOST_EXPORTED = 10_000;

/** Tasks fall with their owner's row; the export shows them without the bytes of their files. */
const holding: Holding = {
  name: 'tasks',
  read: async (db, { user_id }) =>
    (await listTasks(db, user_id, { limit: MOST_EXPORTED, offset: 0 })).items.map(shownTask),
};
