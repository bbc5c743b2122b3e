import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { ProofRunRow } from '#core/db/schema-proof.ts';
import { type DayOfCaller, daysOf, runsOf } from './runs.ts';

/** A source of runs: the table that follows the log, or the log itself. */
export interface RunSource {
  /** Runs after `from`, up to the entry `log_size`. */
  runsOf(subjects: readonly string[], from: string, logSize: number): Promise<ProofRunRow[]>;
  /** The subjects that these accounts ran, once per day. */
  daysOf(userIds: readonly string[], from: string, logSize: number): Promise<DayOfCaller[]>;
}

export const tableSource = (db: Kysely<Schema>): RunSource => ({
  runsOf: (subjects, from, log_size) => runsOf(db, subjects, from, log_size),
  daysOf: (user_ids, from, log_size) => daysOf(db, user_ids, from, log_size),
});

export function memorySource(rows: readonly ProofRunRow[]): RunSource {
  const bySubject = Map.groupBy(rows, (row) => row.subject);
  const byUser = Map.groupBy(rows, (row) => row.user_id ?? '');
  const within = (some: readonly ProofRunRow[] | undefined, from: string, logSize: number) =>
    (some ?? []).filter((proofRun) => proofRun.at > from && proofRun.leaf_index < logSize);
  return {
    runsOf: async (subjects, from, logSize) =>
      subjects.flatMap((subject) => within(bySubject.get(subject), from, logSize)),
    daysOf: async (userIds, from, logSize) =>
      userIds.flatMap((user_id) => {
        const days = within(byUser.get(user_id), from, logSize).map(
          (proofRun) => `${proofRun.at.slice(0, 10)} ${proofRun.subject}`,
        );
        return [...new Set(days)].map((day) => ({ user_id, day: day.slice(0, 10), subject: day.slice(11) }));
      }),
  };
}
