import { type Expiry, expiryKind } from '#core/jobs/expiry.ts';
import { deleteOutputBefore } from './task-events.ts';

/**
 * What runs printed goes once it is as old as a trace may be. The moves of a task stay, and so does its output, which
 * stands in the task: both until its owner deletes the account.
 */

export const EXPIRE_EVENTS = 'task_events_expire';

export const expireEventsKind = ({
  db,
  clock,
  events_kept_ms,
}: Pick<Expiry, 'db' | 'clock'> & { events_kept_ms: number }) =>
  expiryKind({ kind: EXPIRE_EVENTS, db, clock, kept_ms: events_kept_ms, batch: 500, remove: deleteOutputBefore });
