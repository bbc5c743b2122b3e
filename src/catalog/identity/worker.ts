import { Worker } from 'node:worker_threads';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Database, DatabaseConfig } from '#core/db/open.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobHandler, JobKind, JobRun } from '#core/jobs/worker.ts';
import type { Log } from '#core/log.ts';
import { behind } from './progress.ts';

/** Keeps capabilities up with listings: looks for changes four times a second, and has one process at a time link them. */

export const LINK_JOB = 'marketplace.link';

export interface FollowDeps {
  database: Database;
  database_config: DatabaseConfig;
  jobs: JobTable;
  clock: Clock;
  log: Log;
  /** Makes this process look for due jobs now. */
  wake(): void;
}

export interface Following {
  kinds: Record<string, JobKind>;
  /** Begins to look. */
  schedule(): void;
  close(): void;
}

/** Searches find what changed within two seconds, of which this and the index's own looking are parts. */
const LOOK_MS = 250;
/** A database that was busy or away for a moment is not a reason to be late for seconds. */
const RETRY_MS = 250;
/** More than this are linked in a thread of its own; fewer in so small pages that requests hardly wait. */
const FEW = 200;
const FEW_PAGE = 50;

export function followListings(deps: FollowDeps): Following {
  const { database, jobs, log, wake } = deps;
  let timer: NodeJS.Timeout | null = null;
  let is_looking = false;
  const look = async (): Promise<void> => {
    if (is_looking) return;
    is_looking = true;
    try {
      if (await isDue()) {
        await jobs.put({ kind: LINK_JOB, key: 'listings' });
        wake();
      }
    } catch (error) {
      log.warn({ error }, 'changes of listings could not be looked for; trying again');
    } finally {
      is_looking = false;
    }
  };
  return {
    kinds: { [LINK_JOB]: { concurrency: 1, handler: linkHandler(deps), retry_ms: RETRY_MS } },
    schedule: () => {
      // Left alone, it keeps no process from ending.
      timer = setInterval(() => void look(), LOOK_MS).unref();
    },
    close: () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
  async function isDue(): Promise<boolean> {
    if ((await behind(connectionOver(database.db, database.engine))) === 0) return false;
    // One that stands is run, or comes again, without our word.
    return (await jobs.list(LINK_JOB)).length === 0;
  }
}

const linkHandler =
  (deps: FollowDeps): JobHandler =>
  async (run) => {
    if (await hasFew(deps)) await linkHere(deps, run);
    else await linkApart(deps, run);
    return null;
  };

async function hasFew({ database: { db, engine } }: FollowDeps): Promise<boolean> {
  const rows = await connectionOver(db, engine).query<{ seq: number }>(
    `SELECT seq FROM listings WHERE seq > (SELECT value FROM change_counters WHERE name = 'capabilities_listings') LIMIT ?`,
    [FEW + 1],
  );
  return rows.length <= FEW;
}

async function linkHere({ database, clock }: FollowDeps, { fence, signal }: JobRun): Promise<void> {
  const [{ linkAll }, { linkDbOver }] = await Promise.all([import('./link.ts'), import('./save.ts')]);
  await linkAll(linkDbOver(database, fence), { page: FEW_PAGE, now: () => isoTime(clock.now()), signal });
}

async function linkApart({ database_config, log }: FollowDeps, { job, signal }: JobRun): Promise<void> {
  const started_ms = performance.now();
  const worker = new Worker(new URL('./link-thread.ts', import.meta.url), {
    workerData: { database: database_config, lease: { id: job.id, attempt: job.attempt } },
    // A first pass over 58,000 listings holds 215 MB; it ends with the pass.
    resourceLimits: { maxOldGenerationSizeMb: 400 },
  });
  const stop = () => worker.postMessage('stop');
  signal.addEventListener('abort', stop);
  try {
    const looked = await new Promise<number>((resolve, reject) => {
      let answer: number | null = null;
      worker.once('message', ({ looked: count }: { looked: number }) => (answer = count));
      worker.once('error', reject);
      worker.once('exit', (code) =>
        answer === null ? reject(new Error(`the linking thread ended with ${code}`)) : resolve(answer),
      );
    });
    log.info({ listings: looked, duration_ms: Math.round(performance.now() - started_ms) }, 'listings linked');
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
