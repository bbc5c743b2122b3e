import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import type { AuditEntryRow } from '../../platform/db/schema-identity.ts';
import { newId } from '../../platform/ids.ts';

/** The audit log: the only SQL that names `audit_entries`. Names accounts by id alone, because it outlives them. */

type Db = Kysely<Schema>;
export type AuditAction =
  | 'users.look'
  | 'users.list'
  | 'users.delete'
  | 'users.set_tier'
  | 'users.revoke'
  | 'users.grant_operator'
  | 'users.revoke_operator';
export type AuditEntry = Omit<AuditEntryRow, 'detail'> & { detail: Record<string, unknown> };

/** Whoever works on the machine itself. */
export const OPERATOR_CLI = 'operator-cli';

export interface NewAuditEntry {
  /** A user id, or OPERATOR_CLI. */
  actor: string;
  /** Later features have actions of their own: `<feature>.<verb>`. */
  action: AuditAction | (string & {});
  /** What it was done to, by id. */
  target: string;
  /** Never names, addresses or secrets. */
  detail?: Record<string, unknown>;
}

export async function recordAudit(db: Db, { actor, action, target, detail = {} }: NewAuditEntry, now: string) {
  const entry = { id: newId(), at: now, actor, action, target, detail: JSON.stringify(detail) };
  await db.insertInto('audit_entries').values(entry).execute();
}

export interface AuditFilter {
  /** As the one who did it, or the one it was done to. */
  user_id?: string | undefined;
  /** ISO time. */
  since?: string | undefined;
}

const PAGE_SIZE = 500;

/** Oldest first, read page by page. */
export async function* listAudit(db: Db, { user_id, since }: AuditFilter = {}): AsyncGenerator<AuditEntry> {
  for (let after = { at: since ?? '', id: '' }; ; ) {
    let query = db
      .selectFrom('audit_entries')
      .selectAll()
      .where((it) => it.or([it('at', '>', after.at), it.and([it('at', '=', after.at), it('id', '>', after.id)])]));
    if (user_id !== undefined)
      query = query.where((it) => it.or([it('actor', '=', user_id), it('target', '=', user_id)]));
    const rows = await query.orderBy('at').orderBy('id').limit(PAGE_SIZE).execute();
    for (const row of rows) yield { ...row, detail: JSON.parse(row.detail) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIZE) return;
    after = last;
  }
}
