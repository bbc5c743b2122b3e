import type { Clock } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Database } from '#core/db/open.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobHandler, JobKind } from '#core/jobs/worker.ts';
import { publisherUserIds } from '#marketplace/claims/publishers-of.ts';
import { commitmentsBy, type Receipts } from '#runtime/receipts/receipts.ts';
import type { FollowDeps } from './deps.ts';
import { tableSource } from './source.ts';

/** The jobs that maintain levels and scores. Readers use `scores.ts` and `verification-of.ts`. */
export interface Proof {
  deps: FollowDeps;
  kinds: Record<string, JobKind>;
  schedule(): Promise<void>;
  /** Call it when a run has its receipt, so that its listing's level is updated soon. */
  proved(): Promise<void>;
}

interface ProofOptions {
  database: Database;
  clock: Clock;
  keys: KeyProvider;
  jobs: Pick<JobTable, 'put'>;
  receipts: Pick<Receipts, 'log'>;
  wake(): void;
}

const FOLLOW = { kind: 'proof.follow', key: 'follow' };
const FIRST_IN_MS = 10_000;
const HOURLY = { kind: 'proof.hourly', key: 'hourly' };

export function openProof({ database, clock, keys, jobs, receipts, wake }: ProofOptions): Proof {
  const { db, engine } = database;
  const reader = connectionOver(db, engine);
  const deps: FollowDeps = {
    db,
    clock,
    reader,
    source: tableSource(db),
    log: receipts.log,
    commitment: commitmentsBy(keys),
    ownersOf: (ids) => publisherUserIds(reader, ids),
    readerOf: (trx) => connectionOver(trx, engine),
  };
  // Loaded with the first due job.
  const handler = (name: 'followRuns' | 'recomputeAll'): JobHandler => {
    return async (run) => (await import('./follow.ts'))[name](deps)(run);
  };
  return {
    deps,
    kinds: {
      [FOLLOW.kind]: { concurrency: 1, handler: handler('followRuns') },
      [HOURLY.kind]: { concurrency: 1, handler: handler('recomputeAll') },
    },
    // Delayed, because the first seconds of a process belong to requests.
    schedule: async () => {
      const run_at_ms = clock.now() + FIRST_IN_MS;
      for (const job of [FOLLOW, HOURLY]) await jobs.put({ ...job, run_at_ms });
    },
    proved: async () => {
      await jobs.put(FOLLOW);
      wake();
    },
  };
}
