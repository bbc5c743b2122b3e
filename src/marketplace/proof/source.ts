import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { ProofRunRow } from '#core/db/schema-proof.ts';
import { type DayOfCaller, daysOf, runsOf } from './runs.ts';

/** Where runs are read from: the table that follows the log, or the log itself. */
export interface RunSource {
  /** Later than `from`, up to the entry `log_size`. */
  runsOf(subjects: readonly string[], from: string, log_size: number): Promise<ProofRunRow[]>;
  /** Each subject once a day that these accounts ran. */
  daysOf(user_ids: readonly string[], from: string, log_size: number): Promise<DayOfCaller[]>;
}

export const tableSource = (db: Kysely<Schema>): RunSource => ({
  runsOf: (subjects, from, log_size) => runsOf(db, subjects, from, log_size),
  daysOf: (user_ids, from, log_size) => daysOf(db, user_ids, from, log_size),
});

export function memorySource(rows: readonly ProofRunRow[]): RunSource {
  const by_subject = Map.groupBy(rows, (it) => it.subject);
  const by_user = Map.groupBy(rows, (it) => it.user_id ?? '');
  const within = (some: readonly ProofRunRow[] | undefined, from: string, log_size: number) =>
    (some ?? []).filter((it) => it.at > from && it.leaf_index < log_size);
  return {
    runsOf: async (subjects, from, log_size) => subjects.flatMap((it) => within(by_subject.get(it), from, log_size)),
    daysOf: async (user_ids, from, log_size) =>
      user_ids.flatMap((user_id) => {
        const days = within(by_user.get(user_id), from, log_size).map((it) => `${it.at.slice(0, 10)} ${it.subject}`);
        return [...new Set(days)].map((it) => ({ user_id, day: it.slice(0, 10), subject: it.slice(11) }));
      }),
  };
}
