import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { AUDIT_ACTIONS, type AuditAction } from './actions.ts';
import { newestAudit } from './audit.ts';
import type { auditContract } from './contract.ts';
import { filterOf } from './filter.ts';

/** GET /api/operator/audit */
export const listAuditEntries =
  ({ db }: { db: Kysely<Schema> }): Handler<typeof auditContract.list> =>
  async ({ query: { before, limit, ...asked } }) => {
    const found = await newestAudit(db, filterOf(asked), { before, limit: limit + 1 });
    const items = found.slice(0, limit);
    const shown = items.map((entry) => ({ ...entry, means: AUDIT_ACTIONS[entry.action as AuditAction] ?? '' }));
    return json({ items: shown, next_before: found.length > limit ? (items.at(-1)?.seq ?? null) : null });
  };
