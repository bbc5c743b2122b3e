import type { Kysely } from 'kysely';
import type { ProviderId } from '#catalog/items/kinds.ts';
import { type By, recordAudit } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { SyncEngine } from './engine.ts';

/** Requests a sync now on behalf of an operator, and records it in the audit log. */
export async function orderSync(
  { db, clock, sync }: { db: Kysely<Schema>; clock: Clock; sync: Pick<SyncEngine, 'syncNow'> },
  by: By,
  id: ProviderId,
  { reason, ...order }: { full: boolean; accept_fewer: boolean; reason?: string },
): Promise<void> {
  const entry = { ...by, action: 'registry.sync', target: id, detail: order, reason } as const;
  await recordAudit(db, entry, isoTime(clock.now()));
  await sync.syncNow(id, order);
}
