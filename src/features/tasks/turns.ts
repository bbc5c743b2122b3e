import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { JobTable } from '../../platform/jobs/jobs.ts';
import type { JobKind } from '../../platform/jobs/worker.ts';
import { lockUser } from '../users/users.ts';
import { giveTurns, listPassedOver, listUncarried } from './tasks.ts';

/** Whose turn it is: each user has so many tasks at work, whatever the others have waiting. */

export interface TurnsDeps {
  db: Kysely<Schema>;
  clock: Clock;
  jobs: Pick<JobTable, 'put'>;
  at_work_per_user: number;
  /** Makes the worker look for jobs now. */
  wake(): void;
}

export const TASK_JOB = 'task';
const SWEEP_JOB = 'task_sweep';
const SWEEP_MS = 5_000;
const MOST_A_SWEEP = 500;

export async function giveUserTurns(deps: TurnsDeps, user_id: string): Promise<void> {
  const { db, clock, at_work_per_user } = deps;
  const ids = await db.transaction().execute(async (trx) => {
    if (!(await lockUser(trx, user_id))) return [];
    return giveTurns(trx, user_id, at_work_per_user, isoTime(clock.now()));
  });
  await carry(deps, ids);
}

/** Puts a job for each, due now. */
export async function carry({ jobs, wake }: TurnsDeps, ids: readonly string[]): Promise<void> {
  for (const key of ids) await jobs.put({ kind: TASK_JOB, key });
  if (ids.length > 0) wake();
}

/** Mends what a process that died between two steps has left: turns without a job, and turns that nobody gave. */
export const sweepKind = (deps: TurnsDeps): Record<string, JobKind> => ({
  [SWEEP_JOB]: {
    concurrency: 1,
    handler: async () => {
      await carry(deps, await listUncarried(deps.db, MOST_A_SWEEP));
      for (const user_id of await listPassedOver(deps.db, deps.at_work_per_user, MOST_A_SWEEP))
        await giveUserTurns(deps, user_id);
      return { again_at_ms: deps.clock.now() + SWEEP_MS };
    },
  },
});

export const scheduleSweep = (jobs: Pick<JobTable, 'put'>): Promise<void> => jobs.put({ kind: SWEEP_JOB, key: 'all' });
