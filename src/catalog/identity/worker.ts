import { Worker } from 'node:worker_threads';
import type { ChangeFeed } from '#core/changes/change-feed.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Database, DatabaseConfig } from '#core/db/open.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobHandler, JobKind, JobRun } from '#core/jobs/worker.ts';
import type { Log } from '#core/log.ts';
import { linkingLag } from './progress.ts';

/** Queues the link job when listings have changed; it runs in one process at a time. */

const LINK_JOB = 'marketplace.link';

interface LinkWorkerDeps {
  database: Database;
  database_config: DatabaseConfig;
  changes: ChangeFeed;
  jobs: JobTable;
  clock: Clock;
  log: Log;
  /** Makes this process look for due jobs now. */
  wake(): void;
}

interface LinkWorker {
  kinds: Record<string, JobKind>;
  /** Subscribes to changes. */
  schedule(): void;
  close(): void;
}

/** Short, so that a database that was busy or unreachable for a moment does not delay linking by seconds. */
const RETRY_MS = 250;
/** More changes than this are linked in a worker thread; fewer on the serving thread, in pages too small to delay requests. */
const FEW = 200;
const FEW_PAGE = 50;

export function linkWorker(deps: LinkWorkerDeps): LinkWorker {
  const { changes, jobs, wake } = deps;
  let unsubscribe = (): void => {};
  return {
    kinds: { [LINK_JOB]: { concurrency: 1, handler: linkHandler(deps), retry_ms: RETRY_MS } },
    schedule: () => {
      unsubscribe = changes.subscribe({
        name: 'identity',
        isBehind: (newest) => linkingLag((name) => newest.get(name) ?? 0) > 0,
        catchUp: async () => {
          // A queued or failed job runs without another one being queued.
          if ((await jobs.list(LINK_JOB)).length > 0) return;
          await jobs.put({ kind: LINK_JOB, key: 'listings' });
          wake();
        },
      });
    },
    close: () => unsubscribe(),
  };
}

function linkHandler(deps: LinkWorkerDeps): JobHandler {
  return async (run) => {
    if (await hasFew(deps)) await linkHere(deps, run);
    else await linkInThread(deps, run);
    return null;
  };
}

async function hasFew({ database: { db, engine } }: LinkWorkerDeps): Promise<boolean> {
  const rows = await connectionOver(db, engine).query<{ seq: number }>(
    `SELECT seq FROM listings WHERE seq > (SELECT value FROM change_counters WHERE name = 'capabilities_listings') LIMIT ?`,
    [FEW + 1],
  );
  return rows.length <= FEW;
}

async function linkHere({ database, clock }: LinkWorkerDeps, { fence, signal }: JobRun): Promise<void> {
  const [{ linkChanged }, { linkDbOver }] = await Promise.all([import('./link.ts'), import('./save.ts')]);
  await linkChanged(linkDbOver(database, fence), { page: FEW_PAGE, now: () => isoTime(clock.now()), signal });
}

async function linkInThread({ database_config, log }: LinkWorkerDeps, { job, signal }: JobRun): Promise<void> {
  const startedMs = performance.now();
  const worker = new Worker(new URL('./link-thread.ts', import.meta.url), {
    workerData: { database: database_config, lease: { id: job.id, attempt: job.attempt } },
    // A first pass over 58,000 listings needs 215 MB, which is released when the thread ends.
    resourceLimits: { maxOldGenerationSizeMb: 400 },
  });
  const stop = () => worker.postMessage('stop');
  signal.addEventListener('abort', stop);
  try {
    const listings = await new Promise<number>((resolve, reject) => {
      let answer: number | null = null;
      worker.once('message', ({ processed }: { processed: number }) => (answer = processed));
      worker.once('error', reject);
      worker.once('exit', (code) =>
        answer === null ? reject(new Error(`link thread exited with code ${code}`)) : resolve(answer),
      );
    });
    log.info({ listings, duration_ms: Math.round(performance.now() - startedMs) }, 'listings linked');
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
