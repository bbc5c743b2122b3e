import { type Kysely, sql } from 'kysely';
import { type Aging, removeOldest } from '#core/db/remove-oldest.ts';
import type { Schema } from '#core/db/schema.ts';
import type { TaskEventRow } from '#core/db/schema-execution.ts';
import { type Expiry, expiryKind } from '#core/jobs/expiry.ts';
import type { Task } from './task.ts';

/** The events of a task, numbered from 1. The only SQL for `task_events`. */

type Db = Kysely<Schema>;

export interface TaskEvent {
  type: 'status' | 'output' | 'step';
  data: Record<string, unknown>;
}

/** Call it in a transaction that locks the task's row, so that numbers are consecutive. */
export async function appendEvents(trx: Db, task_id: string, events: readonly TaskEvent[], at: string): Promise<void> {
  if (events.length === 0) return;
  const last = await trx
    .selectFrom('task_events')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('task_id', '=', task_id)
    .executeTakeFirst();
  const first = Number(last?.seq ?? 0) + 1;
  const rows = events.map(({ type, data }, place): TaskEventRow => {
    return { task_id, seq: first + place, at, type, data: JSON.stringify(data) };
  });
  await trx.insertInto('task_events').values(rows).execute();
}

export const statusEvent = ({
  status,
  status_reason,
  attempt,
}: Pick<Task, 'status' | 'status_reason' | 'attempt'>): TaskEvent => ({
  type: 'status',
  data: { status, status_reason, attempt },
});

const MOST_AT_ONCE = 200;
/** Ids of one statement: engines cap its parameters. */
const CHUNK = 500;

export const eventsAfter = (db: Db, task_id: string, seq: number): Promise<TaskEventRow[]> =>
  db
    .selectFrom('task_events')
    .selectAll()
    .where('task_id', '=', task_id)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(MOST_AT_ONCE)
    .execute();

/** The number of the newest event of each of these tasks that has one. */
export async function newestEvents(db: Db, task_ids: readonly string[]): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  for (let at = 0; at < task_ids.length; at += CHUNK) {
    const rows = await db
      .selectFrom('task_events')
      .select((eb) => ['task_id', eb.fn.max('seq').as('seq')])
      .where('task_id', 'in', task_ids.slice(at, at + CHUNK))
      .groupBy('task_id')
      .execute();
    for (const { task_id, seq } of rows) newest.set(task_id, Number(seq));
  }
  return newest;
}

const OUTPUT: Aging = {
  table: 'task_events',
  key: ['task_id', 'seq'],
  time: 'at',
  only: sql<boolean>`type IN ('output', 'step')`,
};

/** The oldest output from before this time, at most `most`. Answers how many events those were. */
export const deleteOutputBefore = (db: Db, time: string, most: number): Promise<number> =>
  removeOldest(db, OUTPUT, time, most);

export const EXPIRE_EVENTS = 'task_events_expire';

/** Console output expires with traces. Status events and the output stay until the owner deletes the task or the account. */
export const expireEventsKind = ({
  db,
  clock,
  events_kept_ms,
}: Pick<Expiry, 'db' | 'clock'> & { events_kept_ms: number }) =>
  expiryKind({ kind: EXPIRE_EVENTS, db, clock, kept_ms: events_kept_ms, batch: 500, remove: deleteOutputBefore });
