import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { Routes } from '#core/http/operation.ts';
import type { auditContract } from './contract.ts';
import { exportAudit } from './export.ts';
import { listAuditEntries } from './list.ts';
import { verifyAudit } from './verify.ts';

export const auditRoutes = (deps: { db: Kysely<Schema> }): Routes<typeof auditContract> => ({
  list: listAuditEntries(deps),
  export: exportAudit(deps),
  verify: verifyAudit(deps),
});
