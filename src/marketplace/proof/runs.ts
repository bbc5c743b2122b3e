import { type Kysely, sql } from 'kysely';
import { removeOldest } from '#core/db/remove-oldest.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ProofRunRow } from '#core/db/schema-proof.ts';

/** Runs of the receipts log: the only SQL that writes `proof_runs`. */

type Db = Kysely<Schema>;
/** Below both databases' limit of parameters per statement. */
const MOST = 500;

async function inParts<I, R>(items: readonly I[], read: (some: I[]) => Promise<R[]>): Promise<R[]> {
  const found: R[] = [];
  // No spread, because there may be more items than a call accepts as arguments.
  for (let at = 0; at < items.length; at += MOST)
    for (const run of await read(items.slice(at, at + MOST))) found.push(run);
  return found;
}

const WIDTH = 11;

export async function insertRuns(trx: Db, rows: readonly ProofRunRow[]): Promise<void> {
  const most = Math.floor((MOST * 4) / WIDTH);
  for (let at = 0; at < rows.length; at += most)
    await trx
      .insertInto('proof_runs')
      .values(rows.slice(at, at + most))
      .onConflict((conflict) => conflict.column('leaf_index').doNothing())
      .execute();
}

/** Runs after `from`, up to the entry `log_size` of the log. */
export const runsOf = (db: Db, subjects: readonly string[], from: string, log_size: number): Promise<ProofRunRow[]> =>
  inParts(subjects, (some) =>
    db
      .selectFrom('proof_runs')
      .selectAll()
      .where('subject', 'in', some)
      .where('at', '>', from)
      .where('leaf_index', '<', log_size)
      .execute(),
  );

export interface DayOfCaller {
  user_id: string;
  subject: string;
  /** UTC date such as `2026-03-01`. */
  day: string;
}

/** The subjects that these accounts ran, once per day. */
export const daysOf = (db: Db, user_ids: readonly string[], from: string, log_size: number): Promise<DayOfCaller[]> =>
  inParts(user_ids, async (some) => {
    const day = sql<string>`SUBSTR(at, 1, 10)`;
    const rows = await db
      .selectFrom('proof_runs')
      .select(['user_id', 'subject', day.as('day')])
      .where('user_id', 'in', some)
      .where('at', '>', from)
      .where('leaf_index', '<', log_size)
      .groupBy(['user_id', 'subject', day])
      .execute();
    return rows.map((row) => ({ ...row, user_id: row.user_id as string }));
  });

/** A sorted page of subjects that were run after `from`. */
export async function subjectsRun(db: Db, from: string, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('proof_runs')
    .select('subject')
    .distinct()
    .where('at', '>', from)
    .where('subject', '>', after)
    .orderBy('subject')
    .limit(limit)
    .execute();
  return rows.map(({ subject }) => subject);
}

/** The newest runs, without those over connections, which are private. */
export const lastRuns = (db: Db, subject: string, limit: number): Promise<ProofRunRow[]> =>
  db
    .selectFrom('proof_runs')
    .selectAll()
    .where('subject', '=', subject)
    .where('version', '<>', '')
    .orderBy('at', 'desc')
    .orderBy('leaf_index', 'desc')
    .limit(limit)
    .execute();

/** Deletes runs that no longer count. The log keeps them. */
export async function forgetRuns(db: Db, before: string): Promise<void> {
  while ((await removeOldest(db, { table: 'proof_runs', key: ['leaf_index'], time: 'at' }, before, BATCH)) === BATCH);
}

const BATCH = 500;

/** All runs in log order, page by page. */
export async function* eachRun(db: Db, from: string): AsyncGenerator<ProofRunRow> {
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom('proof_runs')
      .selectAll()
      .where('leaf_index', '>', after)
      .where('at', '>', from)
      .orderBy('leaf_index')
      .limit(MOST)
      .execute();
    for (const row of rows) yield { ...row, leaf_index: Number(row.leaf_index) };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Number(last.leaf_index);
  }
}
