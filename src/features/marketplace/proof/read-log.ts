import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/db/schema.ts';
import type { ReceiptRow } from '../../../platform/db/schema-execution.ts';
import type { ProofRunRow } from '../../../platform/db/schema-proof.ts';
import { listedReceipts } from '../../receipts/log-entries.ts';
import type { RunStatement } from '../../receipts/statement.ts';
import { runOfReceipt } from './run-of-receipt.ts';

/** Receipts of the log as rows of runs: whose each was is told by its commitment. */

/** The account of our own check runs; it is no row of `users`. */
export const SERVICE_CALLER = 'service:checks';

export type Commitment = (user_id: string | null, subject: string) => string;

type Db = Kysely<Schema>;

/** A page of the log from this entry on. */
export async function readLogPage(db: Db, from: number, commitment: Commitment, limit: number) {
  const receipts = await listedReceipts(db, from, limit);
  const owners = await ownersOfRuns(
    db,
    receipts.map(({ run_id }) => run_id),
  );
  return {
    next: (receipts.at(-1)?.leaf_index ?? from - 1) + 1,
    rows: receipts.flatMap((it) => rowOf(it, owners.get(it.run_id), commitment) ?? []),
  };
}

export const statementIn = ({ envelope }: Pick<ReceiptRow, 'envelope'>): RunStatement =>
  JSON.parse(Buffer.from(JSON.parse(envelope).payload, 'base64').toString('utf8')) as RunStatement;

/** Null where it is no run of anything that is listed. `owner` is who the task says it was. */
export function rowOf(
  receipt: Pick<ReceiptRow, 'id' | 'envelope'> & { leaf_index: number },
  owner: string | undefined,
  commitment: Commitment,
): ProofRunRow | null {
  const statement = statementIn(receipt);
  const run = runOfReceipt(statement);
  if (typeof run === 'string') return null;
  const { leaf_index, id: receipt_id } = receipt;
  return { leaf_index, receipt_id, ...run, ...callerOf(statement, owner, commitment) };
}

/** Nobody where the account is gone, or where a task was changed to say another than who was signed. */
export function callerOf(
  { subject, predicate }: RunStatement,
  owner: string | undefined,
  commitment: Commitment,
): Pick<ProofRunRow, 'caller' | 'user_id'> {
  const name = subject[0]?.name as string;
  const is = (user_id: string | null) => commitment(user_id, name) === predicate.caller.commitment;
  if (owner !== undefined && is(owner)) return { caller: 'user', user_id: owner };
  if (owner !== undefined) return { caller: 'nobody', user_id: null };
  if (is(SERVICE_CALLER)) return { caller: 'service', user_id: null };
  return { caller: is(null) ? 'operator' : 'nobody', user_id: null };
}

const MOST = 500;

/** By run. */
export async function ownersOfRuns(db: Db, run_ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let at = 0; at < run_ids.length; at += MOST) {
    const some = run_ids.slice(at, at + MOST);
    const rows = await db.selectFrom('tasks').select(['id', 'user_id']).where('id', 'in', some).execute();
    for (const { id, user_id } of rows) found.set(id, user_id);
  }
  return found;
}
