import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { ReceiptRow } from '#core/db/schema-execution.ts';

/** Receipts by their position in the log, for monitors and auditors. */

export type LoggedReceipt = Omit<ReceiptRow, 'leaf_index'> & { leaf_index: number };

/** A page from this entry on. */
export async function listedReceipts(db: Kysely<Schema>, from: number, limit: number): Promise<LoggedReceipt[]> {
  const rows = await db
    .selectFrom('receipts')
    .selectAll()
    .where('leaf_index', '>=', from)
    .orderBy('leaf_index')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, leaf_index: Number(row.leaf_index) }));
}
