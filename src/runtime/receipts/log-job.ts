import type { Clock } from '#core/clock/clock.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { Receipts } from './receipts.ts';

/** The repeated job that takes new receipts into the log, so that none waits for somebody to ask for it. */

const LOG_RECEIPTS = 'receipts.log';
const EVERY_MS = 5_000;

export const logKinds = ({
  receipts,
  clock,
}: {
  receipts: Pick<Receipts, 'log'>;
  clock: Clock;
}): Record<string, JobKind> => ({
  [LOG_RECEIPTS]: {
    concurrency: 1,
    handler: async ({ signal }) => {
      while (!signal.aborted && (await receipts.log()) > 0);
      return { again_at_ms: clock.now() + EVERY_MS };
    },
  },
});

/** One for the whole service, however many processes it has. */
export const scheduleLog = (jobs: Pick<JobTable, 'put'>): Promise<void> => jobs.put({ kind: LOG_RECEIPTS, key: 'log' });
