import { type Expiry, expiryKind } from '#core/jobs/expiry.ts';
import { removeExpiredShares } from './shares.ts';
import { removeEndedBefore } from './tasks.ts';

/** Deletes tasks some time after their end, and links to them after their own. */

const TASKS = 'tasks_expire';
const SHARES = 'task_shares_expire';
export const EXPIRE_TASKS = [TASKS, SHARES];

/** Rows may have megabytes of input and output. */
const BATCH = 50;

export const expireTasksKinds = ({ db, clock, kept_ms }: Pick<Expiry, 'db' | 'clock' | 'kept_ms'>) => ({
  ...expiryKind({ kind: TASKS, db, clock, kept_ms, batch: BATCH, remove: removeEndedBefore }),
  ...expiryKind({ kind: SHARES, db, clock, kept_ms: 0, batch: 500, remove: removeExpiredShares }),
});
