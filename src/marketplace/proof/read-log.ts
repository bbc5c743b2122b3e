import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { ReceiptRow } from '#core/db/schema-execution.ts';
import type { ProofRunRow } from '#core/db/schema-proof.ts';
import { listedReceipts } from '#runtime/receipts/log-entries.ts';
import type { RunStatement } from '#runtime/receipts/statement.ts';
import { runOfReceipt } from './run-of-receipt.ts';
import type { WhoseRun } from './whose-run.ts';

/** Converts receipts of the log to rows of runs. The commitment in each receipt identifies its account. */

type Db = Kysely<Schema>;

/** A page of the log, starting at this entry. */
export async function readLogPage(db: Db, from: number, whose: WhoseRun, limit: number) {
  const receipts = await listedReceipts(db, from, limit);
  const owners = await ownersOfRuns(
    db,
    receipts.map(({ run_id }) => run_id),
  );
  const rows: ProofRunRow[] = [];
  for (const receipt of receipts) {
    const row = await rowOf(receipt, owners.get(receipt.run_id), whose);
    if (row !== null) rows.push(row);
  }
  return { next: (receipts.at(-1)?.leaf_index ?? from - 1) + 1, rows };
}

export const statementIn = ({ envelope }: Pick<ReceiptRow, 'envelope'>): RunStatement =>
  JSON.parse(Buffer.from(JSON.parse(envelope).payload, 'base64').toString('utf8')) as RunStatement;

/** Null if it is not a run of a listing. `owner` is the account according to the task. */
export async function rowOf(
  receipt: Pick<ReceiptRow, 'id' | 'envelope'> & { leaf_index: number },
  owner: string | undefined,
  whose: WhoseRun,
): Promise<ProofRunRow | null> {
  const statement = statementIn(receipt);
  const run = runOfReceipt(statement);
  if (typeof run === 'string') return null;
  const { leaf_index, id: receipt_id } = receipt;
  return { leaf_index, receipt_id, ...run, ...(await whose(statement, owner)) };
}

const MOST = 500;

/** Accounts by run id. */
export async function ownersOfRuns(db: Db, run_ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let at = 0; at < run_ids.length; at += MOST) {
    const some = run_ids.slice(at, at + MOST);
    const rows = await db.selectFrom('tasks').select(['id', 'user_id']).where('id', 'in', some).execute();
    for (const { id, user_id } of rows) found.set(id, user_id);
  }
  return found;
}
