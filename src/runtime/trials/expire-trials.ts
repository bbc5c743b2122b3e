import type { Kysely } from 'kysely';
import { HOUSE_IDS } from '#accounts/users/house-accounts.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Expiry, expiryKind } from '#core/jobs/expiry.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import { removeEndedOf } from '#runtime/tasks/tasks.ts';
import { removeTrialDays } from './trial-days.ts';

/** Deletes runs without an account some time after their end, and what was counted before yesterday. */

const EXPIRE_TRIALS = 'trials_expire';
const EXPIRE_TRIAL_DAYS = 'trial_days_expire';
export const TRIAL_JOBS = [EXPIRE_TRIALS, EXPIRE_TRIAL_DAYS] as const;

const DAY_MS = 86_400_000;

type Deps = Pick<Expiry, 'db' | 'clock' | 'kept_ms'>;

export const expireTrialsKinds = ({ db, clock, kept_ms }: Deps): Record<string, JobKind> => ({
  ...expiryKind({ kind: EXPIRE_TRIALS, db, clock, kept_ms, batch: 50, remove: removeEnded }),
  ...expiryKind({ kind: EXPIRE_TRIAL_DAYS, db, clock, kept_ms: DAY_MS, batch: 500, remove: removeTrialDays }),
});

async function removeEnded(db: Kysely<Schema>, before: string, most: number): Promise<number> {
  let removed = 0;
  for (const id of HOUSE_IDS) removed += await removeEndedOf(db, id, before, most - removed);
  return removed;
}
