import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Values } from '#core/config/config.ts';
import type { Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { scheduleExpiry } from '#core/jobs/expiry.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobHandler, JobKind } from '#core/jobs/worker.ts';
import type { CapabilityKind } from '#runtime/runs/capability.ts';
import { DAY_MS } from '../caller-weight.ts';
import type { PROOF_SETTINGS } from '../settings.ts';
import type { Round, RoundDeps } from './check-round.ts';
import { EXPIRE_CHECKS, expireChecksKind } from './expire-checks.ts';

/** Check runs of listings, one at a time at the rate that the operator has set; none if it is not set. */
interface Checks {
  kinds: Record<string, JobKind>;
  schedule(): Promise<void>;
}

interface ChecksOptions extends RoundDeps {
  db: Kysely<Schema>;
  clock: Clock;
  jobs: Pick<JobTable, 'put'>;
  config: Values<typeof PROOF_SETTINGS>;
  /** Names of built-in skills that run as a script. */
  skills: readonly string[];
  /** Called when there are new receipts. */
  proved(): Promise<void>;
}

const CHECK_JOB = 'proof.check';
const HOUR_MS = 3_600_000;
/** Well before a level of 30 days expires. */
const AGAIN_DAYS: Record<Round['result'], number> = {
  reproduced: 20,
  differs: 20,
  failed: 3,
  no_input: 60,
  not_runnable: 14,
};

export function openChecks(options: ChecksOptions): Checks {
  const isOn = options.config.verify === 'on';
  return {
    kinds: {
      ...defined({ [CHECK_JOB]: isOn ? { concurrency: 1, handler: checkNext(options) } : undefined }),
      ...expireChecksKind(options),
    },
    schedule: async () => {
      await scheduleExpiry(options.jobs, EXPIRE_CHECKS);
      if (isOn) await options.jobs.put({ kind: CHECK_JOB, key: 'next' });
    },
  };
}

/** Checks one listing. The next one is due later, whether this one could be run or not. */
export function checkNext(options: ChecksOptions): JobHandler {
  const { db, clock, config, skills } = options;
  return async ({ signal, fence }) => {
    const begunMs = clock.now();
    const { nextToCheck, noteRound } = await import('./to-check.ts');
    const subject = await nextToCheck(db, skills, isoTime(begunMs));
    if (subject !== null) {
      const { checkRound } = await import('./check-round.ts');
      const slash = subject.indexOf('/');
      const ref = { kind: subject.slice(0, slash) as CapabilityKind, ref: subject.slice(slash + 1) };
      const round = await checkRound(options, ref, signal);
      const nowMs = clock.now();
      const dueAt = isoTime(nowMs + AGAIN_DAYS[round.result] * DAY_MS);
      await db.transaction().execute(async (trx) => {
        await fence(trx);
        await noteRound(trx, subject, round, isoTime(nowMs), dueAt);
      });
      await options.proved();
    }
    return { again_at_ms: begunMs + HOUR_MS / config.verify_per_hour };
  };
}
