import { sql } from 'kysely';
import { type Aging, removeOldest } from '#core/db/remove-oldest.ts';
import { type Expiry, expiryKind } from '#core/jobs/expiry.ts';

/** What was signed before a run goes once the run has its receipt and both are old. Receipts and their log stay. */

export const EXPIRE_INTENTS = 'receipts.expire_intents';

const INTENTS: Aging = {
  table: 'run_intents',
  key: ['run_id', 'attempt'],
  time: 'created_at',
  only: sql<boolean>`EXISTS (SELECT 1 FROM receipts WHERE receipts.run_id = run_intents.run_id)`,
};

export const expireIntentsKind = ({
  db,
  clock,
  intent_retention_ms,
  batch = 500,
}: Pick<Expiry, 'db' | 'clock'> & { intent_retention_ms: number; batch?: number }) =>
  expiryKind({
    kind: EXPIRE_INTENTS,
    db,
    clock,
    kept_ms: intent_retention_ms,
    batch,
    remove: (trx, before, most) => removeOldest(trx, INTENTS, before, most),
  });
