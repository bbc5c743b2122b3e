import type { Kysely } from 'kysely';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import { newReceiptKey } from '#runtime/receipts/receipts.ts';
import type { Task } from './task.ts';
import { noteTask } from './tasks.ts';

/** The key of a task's receipt, sealed in its row and shown to its owner. */

export const receiptKeyContext = (id: string): string => `task receipt key|${id}`;

/** Null if it has none yet. */
export const openReceiptKey = (keys: KeyProvider, { id, receipt_key }: Pick<Task, 'id' | 'receipt_key'>) =>
  receipt_key === null ? null : unseal(keys, receipt_key, receiptKeyContext(id));

/** The same key for every attempt. */
export async function receiptKeyOf(db: Kysely<Schema>, keys: KeyProvider, task: Task): Promise<Buffer> {
  const known = openReceiptKey(keys, task);
  if (known !== null) return known;
  const made = newReceiptKey();
  await noteTask(db, task, { receipt_key: seal(keys, made, receiptKeyContext(task.id)) });
  return made;
}
