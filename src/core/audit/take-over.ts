import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { AuditAction } from './actions.ts';
import { appendAudit } from './audit.ts';

/**
 * Chains what processes of the version before the chain wrote while an upgrade rolls, with the times that they noted. The only
 * SQL that names `audit_entries`. Answers how many there were.
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
