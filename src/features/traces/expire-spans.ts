import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { JobTable } from '../../platform/jobs/jobs.ts';
import type { JobHandler, JobKind } from '../../platform/jobs/worker.ts';
import { deleteSpansBefore } from './spans.ts';

/** The repeated job that deletes spans over their age, a bounded batch in a short transaction at a time. */

export const EXPIRE_SPANS = 'traces.expire';

const EVERY_MS = 3_600_000;
const BATCH = 500;
/** Between batches, so that others write too. */
const PAUSE_MS = 20;

export interface ExpiryDeps {
  db: Kysely<Schema>;
  clock: Clock;
  retention_ms: number;
  batch?: number;
}

export const expiryKinds = (deps: ExpiryDeps): Record<string, JobKind> => ({
  [EXPIRE_SPANS]: { handler: expireSpans(deps), concurrency: 1 },
});

/** One for the whole service, however many processes it has. */
export const scheduleExpiry = (jobs: Pick<JobTable, 'put'>): Promise<void> =>
  jobs.put({ kind: EXPIRE_SPANS, key: 'spans' });

const expireSpans =
  ({ db, clock, retention_ms, batch = BATCH }: ExpiryDeps): JobHandler =>
  async ({ fence, signal }) => {
    const before = isoTime(clock.now() - retention_ms);
    const some = (): Promise<number> =>
      db.transaction().execute(async (trx) => {
        await fence(trx);
        return deleteSpansBefore(trx, before, batch);
      });
    while ((await some()) === batch) await sleep(PAUSE_MS, null, { signal });
    return { again_at_ms: clock.now() + EVERY_MS };
  };
