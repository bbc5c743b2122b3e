import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import type { TaskEventRow } from '../../platform/db/schema-execution.ts';

/** What a task's watchers are told, numbered from 1. The only SQL that names `task_events`. */

type Db = Kysely<Schema>;

export interface TaskEvent {
  type: 'status' | 'output';
  data: Record<string, unknown>;
}

/** In a transaction that holds the task's row, so that numbers follow one another. */
export async function appendEvents(trx: Db, task_id: string, events: readonly TaskEvent[], at: string): Promise<void> {
  if (events.length === 0) return;
  const last = await trx
    .selectFrom('task_events')
    .select((it) => it.fn.max('seq').as('seq'))
    .where('task_id', '=', task_id)
    .executeTakeFirst();
  const first = Number(last?.seq ?? 0) + 1;
  const rows = events.map(({ type, data }, place): TaskEventRow => {
    return { task_id, seq: first + place, at, type, data: JSON.stringify(data) };
  });
  await trx.insertInto('task_events').values(rows).execute();
}

const MOST_AT_ONCE = 200;

export const eventsAfter = (db: Db, task_id: string, seq: number): Promise<TaskEventRow[]> =>
  db
    .selectFrom('task_events')
    .selectAll()
    .where('task_id', '=', task_id)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(MOST_AT_ONCE)
    .execute();
