import type { Kysely } from 'kysely';
import { OPERATOR_CLI, recordAudit } from '#core/audit/audit.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Made } from './make-backup.ts';

/** That a backup was made, and which: after its moment, so that it is not in itself. */
export function noteMade(db: Kysely<Schema>, { header, manifest }: Made, now: string): Promise<void> {
  const detail = { kept_key: header.secret_key.kept, sha256: manifest.sha256, as_of: header.created_at };
  return recordAudit(db, { actor: OPERATOR_CLI, action: 'backup.make', target: 'all', detail }, now);
}

/** In the database that was restored, in the transaction that fills it. */
export const noteRestored = (trx: Kysely<Schema>, detail: Record<string, unknown>, now: string): Promise<void> =>
  recordAudit(trx, { actor: OPERATOR_CLI, action: 'backup.restore', target: 'all', detail }, now);
