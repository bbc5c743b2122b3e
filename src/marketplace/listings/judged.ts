import { findCapability } from '#catalog/identity/capabilities.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { type By, recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import { identityOf } from '#marketplace/identity/identity-of.ts';
import type { Order } from '#marketplace/identity/judge-as-operator.ts';
import type { MarketplaceDeps } from './deps.ts';

interface Judgement {
  action: 'marketplace.merge' | 'marketplace.split';
  target: string;
  reason: string;
}

/** An operator's judgement in one transaction with its entry in the audit log. Answers what the judged capability now is. */
export async function judged(
  { db, engine, clock }: Pick<MarketplaceDeps, 'db' | 'engine' | 'clock'>,
  by: By,
  { action, target, reason }: Judgement,
  work: (db: Pick<Connection, 'query'>, order: Order) => Promise<string>,
) {
  const { actor } = by;
  const now = isoTime(clock.now());
  return db.transaction().execute(async (trx) => {
    const connection = connectionOver(trx, engine);
    const id = await work(connection, { actor, reason: storable(reason), now });
    await recordAudit(trx, { ...by, action, target, detail: { capability: id } }, now);
    return identityOf(connection, (await findCapability(connection, id))?.stands_id ?? id);
  });
}
