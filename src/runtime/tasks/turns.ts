import type { Kysely } from 'kysely';
import { shareOfUser } from '#accounts/quotas/share-of-user.ts';
import { lockUser } from '#accounts/users/users.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { identityOf } from '#core/fair-queue/share.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import { giveTurns, listPassedOver, listUncarried } from './tasks.ts';

/** Whose turn it is: each user has so many tasks at work, and workers take turns over users, whatever anybody has waiting. */

interface TurnsDeps {
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
  await carry(deps, user_id, ids);
}

/** Puts a job for each of the user's tasks, due now. Workers take turns over their shares. */
export async function carry(
  { db, clock, jobs, wake }: TurnsDeps,
  user_id: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { key: share } = identityOf(await shareOfUser(db, user_id, clock.now()));
  for (const key of ids) await jobs.put({ kind: TASK_JOB, key, share });
  wake();
}

/** Mends what a process that died between two steps has left: turns without a job, and turns that nobody gave. */
export const sweepKind = (deps: TurnsDeps): Record<string, JobKind> => ({
  [SWEEP_JOB]: {
    concurrency: 1,
    handler: async () => {
      for (const { id, user_id } of await listUncarried(deps.db, MOST_A_SWEEP)) await carry(deps, user_id, [id]);
      for (const user_id of await listPassedOver(deps.db, deps.at_work_per_user, MOST_A_SWEEP))
        await giveUserTurns(deps, user_id);
      return { again_at_ms: deps.clock.now() + SWEEP_MS };
    },
  },
});

export const scheduleSweep = (jobs: Pick<JobTable, 'put'>): Promise<void> => jobs.put({ kind: SWEEP_JOB, key: 'all' });
