import type { Kysely } from 'kysely';
import { OPERATOR_CLI, recordAudit } from '#core/audit/audit.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Made } from './make-backup.ts';

/** Records the backup afterwards, so that the entry is not part of it. */
export function noteMade(db: Kysely<Schema>, { header, manifest }: Made, now: string): Promise<void> {
  const detail = { kept_key: header.secret_key.kept, sha256: manifest.sha256, as_of: header.created_at };
  return recordAudit(db, { actor: OPERATOR_CLI, action: 'backup.make', target: 'all', detail }, now);
}

/** Recorded in the restored database, in the transaction that fills it. */
export const noteRestored = (trx: Kysely<Schema>, detail: Record<string, unknown>, now: string): Promise<void> =>
  recordAudit(trx, { actor: OPERATOR_CLI, action: 'backup.restore', target: 'all', detail }, now);
