import { isoTime } from '../../platform/clock.ts';
import type { Connection } from '../../platform/db/connection.ts';
import { connectionOver } from '../../platform/db/connection-over.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { storable } from '../registry/listing-row.ts';
import { recordAudit } from '../users/audit.ts';
import type { MarketplaceDeps } from './deps.ts';
import { findCapability } from './identity/capabilities.ts';
import { identityOf } from './identity/identity-of.ts';
import type { Order } from './identity/judge-as-operator.ts';
import { operatorId } from './moderation/operators.ts';

interface Judgement {
  action: 'marketplace.merge' | 'marketplace.split';
  target: string;
  reason: string;
}

/** An operator's judgement in one transaction with its entry in the audit log. Answers what the judged capability now is. */
export async function judged(
  { db, engine, clock }: Pick<MarketplaceDeps, 'db' | 'engine' | 'clock'>,
  caller: Pick<Caller, 'user_id' | 'is_operator'> | null,
  { action, target, reason }: Judgement,
  work: (db: Pick<Connection, 'query'>, order: Order) => Promise<string>,
) {
  const actor = operatorId(caller);
  const now = isoTime(clock.now());
  return db.transaction().execute(async (trx) => {
    const connection = connectionOver(trx, engine);
    const id = await work(connection, { actor, reason: storable(reason), now });
    await recordAudit(trx, { actor, action, target, detail: { capability: id } }, now);
    return identityOf(connection, (await findCapability(connection, id))?.stands_id ?? id);
  });
}
