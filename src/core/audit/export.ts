import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { Handler } from '#core/http/operation.ts';
import { type AuditFilter, listReasoned } from './audit.ts';
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
  let lines: string[] = [];
  let many = 0;
  for await (const entry of listReasoned(db, filter)) {
    lines.push(`${JSON.stringify(entry)}\n`);
    if (++many === limit) break;
    if (lines.length < CHUNK) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}
