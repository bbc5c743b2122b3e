import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { ProofRunRow } from '#core/db/schema-proof.ts';
import { type DayOfCaller, daysOf, runsOf } from './runs.ts';

/** A source of runs: the table that follows the log, or the log itself. */
export interface RunSource {
  /** Runs after `from`, up to the entry `log_size`. */
  runsOf(subjects: readonly string[], from: string, log_size: number): Promise<ProofRunRow[]>;
  /** The subjects that these accounts ran, once per day. */
  daysOf(user_ids: readonly string[], from: string, log_size: number): Promise<DayOfCaller[]>;
}

export const tableSource = (db: Kysely<Schema>): RunSource => ({
  runsOf: (subjects, from, log_size) => runsOf(db, subjects, from, log_size),
  daysOf: (user_ids, from, log_size) => daysOf(db, user_ids, from, log_size),
});

export function memorySource(rows: readonly ProofRunRow[]): RunSource {
  const by_subject = Map.groupBy(rows, (row) => row.subject);
  const by_user = Map.groupBy(rows, (row) => row.user_id ?? '');
  const within = (some: readonly ProofRunRow[] | undefined, from: string, log_size: number) =>
    (some ?? []).filter((proofRun) => proofRun.at > from && proofRun.leaf_index < log_size);
  return {
    runsOf: async (subjects, from, log_size) =>
      subjects.flatMap((subject) => within(by_subject.get(subject), from, log_size)),
    daysOf: async (user_ids, from, log_size) =>
      user_ids.flatMap((user_id) => {
        const days = within(by_user.get(user_id), from, log_size).map(
          (proofRun) => `${proofRun.at.slice(0, 10)} ${proofRun.subject}`,
        );
        return [...new Set(days)].map((day) => ({ user_id, day: day.slice(0, 10), subject: day.slice(11) }));
      }),
  };
}
