import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import type { CapabilityKind } from '../execution/capability.ts';

/** Finished runs in numbers: nothing of whoever ran, and nothing of what went in or came out. */

type Db = Kysely<Schema>;

export interface RunCount {
  kind: string;
  ref: string;
  /** That ran to an end, good or bad. */
  runs: number;
  completed: number;
  /** Different accounts. */
  callers: number;
}

export interface CountedRuns {
  /** ISO time; runs that finished then or later. */
  from: string;
  /** Of these kinds only: a connection or a rig is its owner's own. */
  kinds: readonly CapabilityKind[];
  most: number;
}

/** Not by the bare column: its own index leads to every task there ever was. */
const status = sql<string>`COALESCE(status, '')`;

const finished = (db: Db, from: string) =>
  db.selectFrom('tasks').where('finished_at', '>=', from).where(status, 'in', ['completed', 'failed']);

/** What most different callers ran, and of those what was run most. */
export async function countRuns(db: Db, { from, kinds, most }: CountedRuns): Promise<RunCount[]> {
  const rows = await finished(db, from)
    .where('capability_kind', 'in', kinds)
    .select(['capability_kind as kind', 'capability_ref as ref'])
    .select((it) => it.fn.countAll<number>().as('runs'))
    .select(sql<number>`SUM(CASE WHEN status = 'completed' THEN 1 ELSE 0 END)`.as('completed'))
    .select(sql<number>`COUNT(DISTINCT user_id)`.as('callers'))
    .groupBy(['capability_kind', 'capability_ref'])
    .orderBy('callers', 'desc')
    .orderBy('runs', 'desc')
    .orderBy('kind')
    .orderBy('ref')
    .limit(most)
    .execute();
  return rows.map(({ kind, ref, runs, completed, callers }) => ({
    ...{ kind, ref, runs: Number(runs), completed: Number(completed), callers: Number(callers) },
  }));
}

export interface DayCount {
  kind: string;
  ref: string;
  /** UTC, as `2026-03-01`. */
  day: string;
  runs: number;
}

export async function countRunsByDay(db: Db, from: string, refs: readonly string[]): Promise<DayCount[]> {
  if (refs.length === 0) return [];
  const day = sql<string>`SUBSTR(finished_at, 1, 10)`;
  const rows = await finished(db, from)
    .where('capability_ref', 'in', refs)
    .select(['capability_kind as kind', 'capability_ref as ref', day.as('day')])
    .select((it) => it.fn.countAll<number>().as('runs'))
    .groupBy(['capability_kind', 'capability_ref', day])
    .execute();
  return rows.map((row) => ({ ...row, runs: Number(row.runs) }));
}
