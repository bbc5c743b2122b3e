import type { Kysely } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Check, type Finding, ok, warn } from '#core/doctor/check.ts';
import { type JobStanding, readJobStanding } from './jobs.ts';

/** Checks that due jobs are run, and by a worker that is alive. */

/** Longer than a lease plus one poll. */
const LATE_MS = 60_000;

export const jobsCheck = ({ db, clock }: { db: Kysely<Schema>; clock: Clock }): Check => ({
  name: 'jobs',
  run: async () => {
    const standing = await readJobStanding(db, clock.now(), LATE_MS);
    const found = [...overdue(standing), ...standing.failing.map(failing)];
    return found.length > 0 ? found : [ok(`${standing.held} running, ${standing.waiting} waiting, none overdue.`)];
  },
});

function overdue({ overdue, held }: JobStanding): Finding[] {
  if (overdue.length === 0) return [];
  const named = overdue.map(({ kind, jobs, oldest }) => `${kind} (${jobs}, since ${oldest})`).join(', ');
  const abandoned = overdue.reduce((sum, entry) => sum + entry.abandoned, 0);
  const left = abandoned === 0 ? '' : ` ${abandoned} were held by a terminated process.`;
  const fix =
    held === 0
      ? 'Start capstand serve or capstand work: no worker is running'
      : 'Start another capstand work, or check the logs of the running workers';
  return [warn(`Unclaimed for over ${LATE_MS / 60_000} minute: ${named}.${left}`, fix)];
}

const failing = ({ kind, key, failures, last_error }: JobStanding['failing'][number]): Finding =>
  warn(
    `${kind} ${key} has failed ${failures} times in a row: ${last_error ?? 'no error recorded'}`,
    'Fix the reported error; the job is retried automatically',
  );
