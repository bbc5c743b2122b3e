import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Log } from '#core/log.ts';
import type { JobEnd, JobMeter } from './gauges.ts';
import { type JobTable, type Lease, LeaseLost, type Skipped } from './jobs.ts';

/** The loop that claims due jobs, renews their leases and releases them at shutdown. */

export interface JobRun {
  job: Lease;
  /** Aborts at shutdown and when the lease is lost. */
  signal: AbortSignal;
  /** Call it first in every transaction that writes for this job. */
  fence(trx: Transaction<Schema>): Promise<void>;
}

/** Returns when the job is due again, or null for never. */
export type JobHandler = (run: JobRun) => Promise<{ again_at_ms: number } | null>;

export interface JobKind {
  handler: JobHandler;
  /** How many jobs of this kind run concurrently in this process. */
  concurrency: number;
  /** Limits for one share and for all new accounts together; default: `concurrency`. */
  per_share?: number;
  of_guests?: number;
  /** Approximate delay after the first failure; it doubles with each further one. Default: 5 s. */
  retry_ms?: number;
}

interface WorkerOptions {
  jobs: JobTable;
  kinds: Record<string, JobKind>;
  clock: Clock;
  log: Log;
  meter?: JobMeter;
  lease_ms?: number;
  poll_ms?: number;
}

export interface Worker {
  /** Looks for due jobs now instead of at the next poll. */
  wake(): void;
  /** Aborts running jobs, releases their leases and resolves when nothing runs. */
  stop(): Promise<void>;
}

const LEASE_MS = 8_000;
const POLL_MS = 1_000;
/** Change of the clock between polls. Smaller changes are gradual clock corrections. */
const CLOCK_JUMP_MS = 10_000;
const BACKOFF_BASE_MS = 5_000;
const BACKOFF_MAX_MS = 15 * 60_000;

/** Doubles up to a maximum, with jitter, so that jobs that failed together do not return together. */
export const backoff = (failures: number, spread: number, base_ms = BACKOFF_BASE_MS): number =>
  Math.min(BACKOFF_MAX_MS, base_ms * 2 ** Math.min(failures, 16)) * (0.75 + spread / 2);

export function startWorker(options: WorkerOptions): Worker {
  const { jobs, kinds, log, lease_ms = LEASE_MS, poll_ms = POLL_MS } = options;
  const name = randomUUID();
  const stopping = new AbortController();
  const running = new Map<string, { kind: string; share: string | null; done: Promise<void> }>();
  let nudge = new AbortController();

  const watchClock = clockWatch(options);

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await watchClock();
        while (!stopping.signal.aborted && (await claimOne())) {}
      } catch (error) {
        log.warn({ error }, 'job table unavailable; retrying');
      }
      await sleep(poll_ms, null, { signal: nudge.signal }).catch(() => {});
      if (nudge.signal.aborted && !stopping.signal.aborted) nudge = new AbortController();
    }
  })();

  async function claimOne(): Promise<boolean> {
    const free = Object.entries(kinds).filter(
      ([kind, { concurrency }]) => [...running.values()].filter((entry) => entry.kind === kind).length < concurrency,
    );
    const lease = await jobs.claim(
      free.map(([kind]) => kind),
      name,
      lease_ms,
      skippedOf(free, [...running.values()]),
    );
    if (lease === null) return false;
    const done = execute(options, lease, stopping.signal).finally(() => {
      running.delete(lease.id);
      nudge.abort();
    });
    running.set(lease.id, { kind: lease.kind, share: lease.share, done });
    return true;
  }

  return {
    wake: () => nudge.abort(),
    stop: async () => {
      stopping.abort();
      nudge.abort();
      await loop;
      await Promise.all([...running.values()].map((entry) => entry.done));
    },
  };
}

type Running = { kind: string; share: string | null };

/** The shares that have reached their limit in this process. */
function skippedOf(kinds: readonly [string, JobKind][], running: readonly Running[]): Skipped {
  const shares: string[] = [];
  let guests = false;
  for (const [name, { concurrency, per_share = concurrency, of_guests = concurrency }] of kinds) {
    const own = running.flatMap(({ kind, share }) => (kind === name && share !== null ? [share] : []));
    for (const [share, jobs] of Map.groupBy(own, String)) if (jobs.length >= per_share) shares.push(share);
    guests ||= own.filter((share) => !share.startsWith('user:')).length >= of_guests;
  }
  return { shares, guests };
}

/** A clock that was ahead and then corrected leaves jobs due hours or years from now. Called at each poll. */
function clockWatch({ jobs, clock, log }: WorkerOptions): () => Promise<void> {
  let aheadMs = clock.now() - performance.now();
  return async () => {
    const nowAheadMs = clock.now() - performance.now();
    const backMs = aheadMs - nowAheadMs;
    if (backMs > CLOCK_JUMP_MS) {
      log.warn({ back_s: Math.round(backMs / 1_000) }, 'the clock moved backwards; adjusting due times');
      await jobs.bringForward(backMs);
    }
    aheadMs = nowAheadMs;
  };
}

/** Runs one job under its lease and stores the result. Never rejects. */
async function execute(options: WorkerOptions, lease: Lease, stopping: AbortSignal): Promise<void> {
  const beganMs = performance.now();
  options.meter?.begun(lease.kind);
  const end = await settle(options, lease, stopping);
  options.meter?.ended(lease.kind, end, performance.now() - beganMs);
}

async function settle(options: WorkerOptions, lease: Lease, stopping: AbortSignal): Promise<JobEnd> {
  const { jobs, kinds, log, lease_ms = LEASE_MS } = options;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const beat = setInterval(async () => {
    const alive = await jobs.heartbeat(lease, lease_ms).catch(() => true);
    if (!alive) lost.abort(new Error('lease lost'));
  }, lease_ms / 4);
  try {
    const { handler } = kinds[lease.kind] as JobKind;
    const outcome = await handler({ job: lease, signal, fence: (trx) => jobs.fence(trx, lease) });
    await jobs.complete(lease, outcome?.again_at_ms ?? null);
    return 'done';
  } catch (error) {
    if (lost.signal.aborted || error instanceof LeaseLost) {
      log.warn({ job: lease.kind, job_key: lease.key, attempt: lease.attempt }, 'job taken over by another worker');
      return 'lease_lost';
    }
    const end = stopping.aborted ? 'given_back' : 'failed';
    const settled = end === 'given_back' ? jobs.giveBack(lease) : giveBackFailed(options, lease, error);
    await settled.catch((cause) =>
      log.warn({ error: cause, job: lease.kind }, 'failed to release a failed job; its lease will expire'),
    );
    return end;
  } finally {
    clearInterval(beat);
  }
}

async function giveBackFailed({ jobs, kinds, clock, log }: WorkerOptions, lease: Lease, error: unknown): Promise<void> {
  const { kind: job, key: job_key, attempt, failures } = lease;
  log.error({ error, job, job_key, attempt }, 'job failed; will retry');
  const message = error instanceof Error ? error.message : String(error);
  await jobs.fail(lease, message, clock.now() + backoff(failures, Math.random(), kinds[job]?.retry_ms));
}
