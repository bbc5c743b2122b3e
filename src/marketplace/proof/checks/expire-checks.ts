import { removeOldest } from '#core/db/remove-oldest.ts';
import { type Expiry, expiryKind } from '#core/jobs/expiry.ts';

/** Deletes results of check runs of listings that are no longer checked. */

export const EXPIRE_CHECKS = 'proof.expire_checks';
const OVERDUE_MS = 180 * 86_400_000;
const CHECKS = { table: 'proof_checks', key: ['subject'], time: 'due_at' } as const;

export const expireChecksKind = ({ db, clock }: Pick<Expiry, 'db' | 'clock'>) =>
  expiryKind({
    kind: EXPIRE_CHECKS,
    db,
    clock,
    kept_ms: OVERDUE_MS,
    batch: 500,
    remove: (trx, before, most) => removeOldest(trx, CHECKS, before, most),
  });
