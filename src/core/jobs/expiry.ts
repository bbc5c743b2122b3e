import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobTable } from './jobs.ts';
import type { JobKind } from './worker.ts';

/** A recurring job that deletes old rows: hourly, in limited batches with short transactions. */

const EVERY_MS = 3_600_000;
/** Pause between batches, so that others can write. */
const PAUSE_MS = 20;

export interface Expiry {
  /** The kind of the job. */
  kind: string;
  db: Kysely<Schema>;
  clock: Clock;
  kept_ms: number;
  /** Rows per batch. */
  batch: number;
  /** Deletes up to `most` rows from before an ISO time and returns their number. */
  remove(trx: Kysely<Schema>, before: string, most: number): Promise<number>;
}

export const expiryKind = ({ kind, db, clock, kept_ms, batch, remove }: Expiry): Record<string, JobKind> => ({
  [kind]: {
    concurrency: 1,
    handler: async ({ fence, signal }) => {
      const before = isoTime(clock.now() - kept_ms);
      const some = (): Promise<number> =>
        db.transaction().execute(async (trx) => {
          await fence(trx);
          return remove(trx, before, batch);
        });
      while ((await some()) === batch) await sleep(PAUSE_MS, null, { signal });
      return { again_at_ms: clock.now() + EVERY_MS };
    },
  },
});

/** One job for the whole service, however many processes it has. */
export const scheduleExpiry = (jobs: Pick<JobTable, 'put'>, kind: string, key = 'all'): Promise<void> =>
  jobs.put({ kind, key });
