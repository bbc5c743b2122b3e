import { type Expiry, expiryKind } from '#core/jobs/expiry.ts';
import { removeEndedBefore } from './tasks.ts';

export const EXPIRE_TASKS = 'tasks_expire';

/** Rows may have megabytes of input and output. */
const BATCH = 50;

/** Deletes tasks some time after their end, with their events and links. */
export const expireTasksKind = ({ db, clock, kept_ms }: Pick<Expiry, 'db' | 'clock' | 'kept_ms'>) =>
  expiryKind({ kind: EXPIRE_TASKS, db, clock, kept_ms, batch: BATCH, remove: removeEndedBefore });
