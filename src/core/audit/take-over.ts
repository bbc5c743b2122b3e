import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { AuditAction } from './actions.ts';
import { appendAudit } from './audit.ts';

/**
 * Adds entries that a previous version without the chain wrote during a rolling upgrade, with their original times. The
 * only SQL that uses `audit_entries`. Returns how many there were.
 */
export async function takeOver(trx: Kysely<Schema>, most: number): Promise<number> {
  const rows = await trx.selectFrom('audit_entries').selectAll().orderBy('at').orderBy('id').limit(most).execute();
  for (const { id, at, actor, action, target, detail } of rows) {
    const nowhere = { address: null, request_id: null, outcome: 'done' } as const;
    const entry = { actor, action: action as AuditAction, target, detail: JSON.parse(detail), ...nowhere };
    await appendAudit(trx, entry, at);
    await trx.deleteFrom('audit_entries').where('id', '=', id).execute();
  }
  return rows.length;
}
