import type { Kysely } from 'kysely';
import { shareOfUser } from '#accounts/quotas/share-of-user.ts';
import { lockUser } from '#accounts/users/users.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { identityOf } from '#core/fair-queue/share.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import { dispatchNext, listDispatchedWithoutJob, listUsersToDispatch, type Owned } from './tasks.ts';

/** Dispatches tasks: each user has a limited number of running tasks, and workers alternate between users. */
export interface FairScheduler {
  /** Queues jobs for the user's longest waiting tasks, up to the limit of running tasks. */
  dispatch(userId: string): Promise<void>;
  /** Makes the task's job due now, also if it waits for a retry. */
  hurry(of: Owned): Promise<void>;
  kinds: Record<string, JobKind>;
  schedule(): Promise<void>;
}

interface FairSchedulerDeps {
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

export function fairScheduler({ db, clock, jobs, at_work_per_user, wake }: FairSchedulerDeps): FairScheduler {
  const putJobs = async (userId: string, ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return;
    const { key: share } = identityOf(await shareOfUser(db, userId, clock.now()));
    for (const key of ids) await jobs.put({ kind: TASK_JOB, key, share });
    wake();
  };
  const dispatch = async (userId: string): Promise<void> => {
    const ids = await db.transaction().execute(async (trx) => {
      if (!(await lockUser(trx, userId))) return [];
      return dispatchNext(trx, userId, at_work_per_user, isoTime(clock.now()));
    });
    await putJobs(userId, ids);
  };
  /** Completes the work of a process that died between two steps. */
  const sweep = async () => {
    for (const { id, user_id } of await listDispatchedWithoutJob(db, MOST_A_SWEEP)) await putJobs(user_id, [id]);
    for (const userId of await listUsersToDispatch(db, at_work_per_user, MOST_A_SWEEP)) await dispatch(userId);
    return { again_at_ms: clock.now() + SWEEP_MS };
  };
  return {
    dispatch,
    hurry: ({ user_id, id }) => putJobs(user_id, [id]),
    kinds: { [SWEEP_JOB]: { concurrency: 1, handler: sweep } },
    schedule: () => jobs.put({ kind: SWEEP_JOB, key: 'all' }),
  };
}
