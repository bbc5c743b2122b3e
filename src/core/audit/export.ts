import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { Handler } from '#core/http/operation.ts';
import { type AuditEntry, type AuditFilter, listAudit, reasonsOf } from './audit.ts';
import type { auditContract } from './contract.ts';
import { filterOf } from './filter.ts';

/** GET /api/operator/audit/export */
export const exportAudit =
  ({ db }: { db: Kysely<Schema> }): Handler<typeof auditContract.export> =>
  async ({ query: { after, limit, ...asked } }) => ({
    media_type: 'application/x-ndjson; charset=utf-8',
    body: linesOf(db, { ...filterOf(asked), after }, limit),
    cache_control: 'no-store',
  });

/** Lines per chunk. */
const CHUNK = 100;

async function* linesOf(db: Kysely<Schema>, filter: AuditFilter, limit: number): AsyncGenerator<string> {
  let entries: AuditEntry[] = [];
  let many = 0;
  for await (const entry of listAudit(db, filter)) {
    entries.push(entry);
    if (++many === limit) break;
    if (entries.length < CHUNK) continue;
    yield await linesWithReasons(db, entries);
    entries = [];
  }
  yield await linesWithReasons(db, entries);
}

async function linesWithReasons(db: Kysely<Schema>, entries: readonly AuditEntry[]): Promise<string> {
  const reasons = await reasonsOf(
    db,
    entries.map(({ seq }) => seq),
  );
  return entries.map((entry) => `${JSON.stringify({ ...entry, reason: reasons.get(entry.seq) ?? null })}\n`).join('');
}
