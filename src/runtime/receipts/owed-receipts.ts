import { type Kysely, sql } from 'kysely';
import { prepared } from '#core/db/prepared.ts';
import type { Schema } from '#core/db/schema.ts';
import type { OwedReceiptRow, ReceiptRow } from '#core/db/schema-execution.ts';
import { SYNC_LATER } from '#core/db/wal-sync.ts';
import type { CallFacts, Subject } from './statement.ts';

/** Tool calls whose receipt is not signed yet: the only SQL that names `owed_receipts`, except for deleted accounts. */

type Db = Kysely<Schema>;

/** The statement as far as it is known before the call. */
export interface OwedFacts {
  subject: Subject;
  predicate: Omit<CallFacts, keyof OwedOutcome>;
  /** For a call that never ended. */
  no_output: CallFacts['output'];
}

/** The members that are known when the call has ended. */
export type OwedOutcome = Pick<CallFacts, 'status' | 'finished_at' | 'output' | 'environment' | 'reason' | 'package'>;

/** Of a server at an address. */
export const REMOTE: CallFacts['environment'] = { isolation: null, engine: null, network: 'guarded' };

/** Stores calls that begin, and outcomes of those that are stored, so that they survive the end of the process. */
export async function saveOwed(db: Db, rows: readonly OwedReceiptRow[]): Promise<void> {
  if (rows.length === 0) return;
  const save = OF_FEW[rows.length];
  if (save === undefined) await insertOwed(db, rows).execute();
  else
    await save(db, Object.fromEntries(rows.flatMap((row, at) => COLUMNS.map((name) => [place(name, at), row[name]]))));
}

const insertOwed = (db: Db, rows: readonly OwedReceiptRow[]) =>
  db
    .insertInto('owed_receipts')
    .values([...rows])
    .onConflict((conflict) => conflict.column('id').doUpdateSet((eb) => ({ outcome: eb.ref('excluded.outcome') })))
    .modifyEnd(sql.raw(SYNC_LATER));

const COLUMNS = ['id', 'user_id', 'facts', 'outcome', 'lease_until', 'created_at'] as const;
const place = (column: string, at: number): string => `${column} ${at}`;

/** Most writes are of a call that begins, and perhaps of one that has just ended. By number of rows. */
const OF_FEW = [0, 1, 2, 3, 4].map((count) => {
  if (count === 0) return undefined;
  const places = Array.from({ length: count }, (_, at) => COLUMNS.map((name) => place(name, at)));
  return prepared<Record<string, unknown>, unknown>(places.flat(), (db, values) => {
    const rowAt = (at: number) => Object.fromEntries(COLUMNS.map((name) => [name, values[place(name, at)]]));
    return insertOwed(
      db,
      places.map((_, at) => rowAt(at) as unknown as OwedReceiptRow),
    );
  });
});

export const renewLeases = async (db: Db, ids: readonly string[], lease_until: string): Promise<void> =>
  void (await db.updateTable('owed_receipts').set({ lease_until }).where('id', 'in', ids).execute());

export const findOwed = (db: Db, id: string): Promise<OwedReceiptRow | undefined> =>
  db.selectFrom('owed_receipts').selectAll().where('id', '=', id).executeTakeFirst();

/** Calls that have ended, and those whose process is gone. Users take turns, so that nobody waits for a flood of another. */
export async function listDue(db: Db, now: string, most: number): Promise<OwedReceiptRow[]> {
  const { rows } = await sql<OwedReceiptRow>`
    SELECT id, user_id, facts, outcome, lease_until, created_at FROM (
      SELECT owed_receipts.*, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY created_at, id) AS turn
      FROM owed_receipts WHERE outcome IS NOT NULL OR lease_until < ${now}) due
    ORDER BY turn, created_at, id LIMIT ${sql.lit(most)}`.execute(db);
  return rows;
}

/** Moves rows to `receipts`. A row that another process has moved meanwhile is left out, so no receipt is doubled. */
export const moveOwed = (db: Db, receipts: readonly ReceiptRow[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const ids = receipts.map(({ id }) => id);
    const moved = await trx.deleteFrom('owed_receipts').where('id', 'in', ids).returning(['id', 'user_id']).execute();
    // The account may have been deleted since the row was read, or even before the row was written.
    const users = moved.flatMap(({ user_id }) => user_id ?? []);
    const present =
      users.length === 0 ? [] : await trx.selectFrom('users').select('id').where('id', 'in', users).execute();
    const living = new Set(present.map(({ id }) => id));
    const owners = new Map(moved.map(({ id, user_id }) => [id, living.has(user_id ?? '') ? user_id : null]));
    const values = receipts.flatMap((receipt) =>
      owners.has(receipt.id) ? [{ ...receipt, user_id: owners.get(receipt.id) ?? null }] : [],
    );
    if (values.length === 0) return;
    // An outcome that arrived after its call was signed as interrupted leaves a row without effect.
    await trx
      .insertInto('receipts')
      .values(values)
      .onConflict((conflict) => conflict.column('run_id').doNothing())
      .execute();
  });
