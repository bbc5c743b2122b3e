import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { JobTable } from '../../platform/jobs/jobs.ts';
import type { JobKind } from '../../platform/jobs/worker.ts';
import { deleteOutputBefore } from './task-events.ts';

/**
 * The repeated job that deletes what runs printed, once it is as old as a trace may be. The moves of a task stay, and
 * so does its output, which stands in the task: both until its owner deletes the account.
 */

const EXPIRE_EVENTS = 'task_events_expire';
const EVERY_MS = 3_600_000;
const BATCH = 500;
/** Between batches, so that others write too. */
const PAUSE_MS = 20;

export interface ExpireEventsDeps {
  db: Kysely<Schema>;
  clock: Clock;
  events_kept_ms: number;
}

export const expireEventsKind = ({ db, clock, events_kept_ms }: ExpireEventsDeps): Record<string, JobKind> => ({
  [EXPIRE_EVENTS]: {
    concurrency: 1,
    handler: async ({ fence, signal }) => {
      const before = isoTime(clock.now() - events_kept_ms);
      const some = (): Promise<number> =>
        db.transaction().execute(async (trx) => {
          await fence(trx);
          return deleteOutputBefore(trx, before, BATCH);
        });
      while ((await some()) === BATCH) await sleep(PAUSE_MS, null, { signal });
      return { again_at_ms: clock.now() + EVERY_MS };
    },
  },
});

export const scheduleExpireEvents = (jobs: Pick<JobTable, 'put'>): Promise<void> =>
  jobs.put({ kind: EXPIRE_EVENTS, key: 'all' });
