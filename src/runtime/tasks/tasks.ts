import { type Kysely, sql } from 'kysely';
import { countOf, type PagePlace, pageOf } from '#core/db/pages.ts';
import { removeOldest } from '#core/db/remove-oldest.ts';
import type { Schema } from '#core/db/schema.ts';
import { STARTABLE, type TaskState } from './states.ts';
import type { ListedTask, Task } from './task.ts';
import { SERVER_ASKS } from './task-question.ts';

/** The tasks: the only SQL for `tasks`. Each change of state is one conditional UPDATE, so a concurrent change is never overwritten. */

type Db = Kysely<Schema>;

export interface Owned {
  user_id: string;
  id: string;
}

export const insertTask = async (db: Db, task: Task): Promise<void> =>
  void (await db.insertInto('tasks').values(task).execute());

export async function findTask(db: Db, { user_id, id }: Owned): Promise<Task | undefined> {
  const of = db.selectFrom('tasks').selectAll().where('id', '=', id).where('user_id', '=', user_id);
  const task = (await of.executeTakeFirst()) as Task | undefined;
  return task === undefined ? undefined : asShown(task);
}

/** A run that waits for an answer is `working` in its row, because its worker holds it, and asks for input to everyone else. */
const asShown = <T extends ListedTask>(task: T): T =>
  task.asking === null || task.status !== 'working'
    ? task
    : { ...task, status: 'input_required', status_reason: SERVER_ASKS };

export const countTasks = (db: Db, user_id: string): Promise<number> =>
  countOf(db.selectFrom('tasks').where('user_id', '=', user_id));

/** False if it does not exist or is running. Deletes its events; its receipt and trace stay. */
export const removeTask = async (db: Db, { user_id, id }: Owned): Promise<boolean> =>
  (
    await db
      .deleteFrom('tasks')
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .where('status', '!=', 'working')
      .executeTakeFirst()
  ).numDeletedRows > 0n;

/** Tasks that ended before this time, at most `most`, with their events and links. Returns their number. */
export const removeEndedBefore = (db: Db, time: string, most: number): Promise<number> =>
  removeOldest(db, { table: 'tasks', key: ['id'], time: 'finished_at' }, time, most);

/** The same for one user, whose tasks are kept for another time. */
export const removeEndedOf = (db: Db, user_id: string, time: string, most: number): Promise<number> =>
  removeOldest(
    db,
    {
      table: 'tasks',
      key: ['id'],
      // Indexed with the user. Nothing ends before it is created.
      time: 'created_at',
      only: sql<boolean>`user_id = ${user_id} AND finished_at < ${time}`,
    },
    time,
    most,
  );

interface TaskPage extends PagePlace {
  status?: TaskState | undefined;
  /** Only those of its capability, in any version. */
  like?: Pick<Task, 'capability_kind' | 'capability_ref'> | undefined;
}

const LISTED = [
  ...(['id', 'user_id', 'title', 'capability_kind', 'capability_ref', 'capability_version'] as const),
  ...(['capability_digest', 'execution_class', 'status', 'status_reason', 'error', 'attempt'] as const),
  ...(['trace_id', 'span_id', 'trace_parent', 'receipt_id', 'quota_day', 'created_at', 'queued_at'] as const),
  ...(['dispatched_at', 'started_at', 'finished_at', 'cancel_requested_at', 'asking'] as const),
] as const;

/** Newest first, without large members: a page of complete tasks could take hundreds of megabytes. */
export async function listTasks(db: Db, user_id: string, { status, like, ...page }: TaskPage) {
  const of = db
    .selectFrom('tasks')
    .where('user_id', '=', user_id)
    .$if(status !== undefined, (query) =>
      query.where((eb) => {
        const [inRow, isWorking] = [eb('status', '=', status as string), eb('status', '=', 'working')];
        if (status === 'working') return eb.and([inRow, eb('asking', 'is', null)]);
        return status === 'input_required' ? eb.or([inRow, eb.and([isWorking, eb('asking', 'is not', null)])]) : inRow;
      }),
    )
    .$if(like !== undefined, (query) =>
      query
        .where('capability_kind', '=', like?.capability_kind as string)
        .where('capability_ref', '=', like?.capability_ref as string),
    );
  const { items, total_count } = await pageOf(of, page, (query) =>
    query.select(LISTED).orderBy('created_at', 'desc').orderBy('id', 'desc'),
  );
  return { items: (items as ListedTask[]).map(asShown), total_count };
}

export type TaskEdit = Partial<Pick<Task, 'title' | 'input' | 'input_files' | 'capability_digest' | 'given'>>;

/** Undefined if the task is no longer in one of these states. */
export const editTask = async (db: Db, { user_id, id }: Owned, edit: TaskEdit, while_in: readonly TaskState[]) =>
  (await db
    .updateTable('tasks')
    .set(edit)
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('status', 'in', while_in)
    .returningAll()
    .executeTakeFirst()) as Task | undefined;

/** Starts the task, which then waits for its user's turn. Undefined if it cannot be started. */
export const queueTask = async (db: Db, { user_id, id }: Owned, now: string, trace_parent: string | null) =>
  (await db
    .updateTable('tasks')
    .set({ status: 'working', status_reason: 'queued', error: null, queued_at: now, dispatched_at: null, trace_parent })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('status', 'in', STARTABLE)
    .returningAll()
    .executeTakeFirst()) as Task | undefined;

/** Ends a task that no worker holds; undefined if one may hold it. */
export const cancelIdle = async (db: Db, { user_id, id }: Owned, now: string) =>
  (await db
    .updateTable('tasks')
    .set({ status: 'cancelled', status_reason: 'cancelled', finished_at: now, cancel_requested_at: now })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where((eb) =>
      eb.or([
        eb('status', 'in', STARTABLE),
        eb.and([eb('status', '=', 'working'), eb('dispatched_at', 'is', null), eb('attempt', '=', 0)]),
      ]),
    )
    .returningAll()
    .executeTakeFirst()) as Task | undefined;

/** Ends a task that asks for something; undefined if it does not. */
export const rejectAsking = async (db: Db, { user_id, id }: Owned, error: string, now: string) =>
  (await db
    .updateTable('tasks')
    .set({ status: 'rejected', status_reason: 'declined', error, finished_at: now })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('status', '=', 'input_required')
    .returningAll()
    .executeTakeFirst()) as Task | undefined;

/** Asks the worker of the task to end it. Undefined if no worker has it. */
export const requestCancel = async (db: Db, { user_id, id }: Owned, now: string) =>
  (await db
    .updateTable('tasks')
    .set((eb) => ({ cancel_requested_at: eb.fn.coalesce('cancel_requested_at', eb.val(now)) }))
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('status', '=', 'working')
    .returningAll()
    .executeTakeFirst()) as Task | undefined;

export async function isCancelRequested(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('tasks').select('cancel_requested_at').where('id', '=', id).executeTakeFirst();
  return row === undefined || row.cancel_requested_at !== null;
}

/** Starts a new attempt for the holder of the job. Undefined if there is nothing left to do. */
export const takeTask = async (trx: Db, id: string, now: string) =>
  (await trx
    .updateTable('tasks')
    .set((eb) => ({
      attempt: eb('attempt', '+', 1),
      status_reason: 'running',
      asking: null,
      started_at: eb.fn.coalesce('started_at', eb.val(now)),
    }))
    .where('id', '=', id)
    .where('status', '=', 'working')
    .returningAll()
    .executeTakeFirst()) as Task | undefined;

/** The user's task that completed last. Reads few rows, because it is for users with few tasks. */
export const newestCompleted = async (db: Db, user_id: string): Promise<Task | undefined> =>
  (await db
    .selectFrom('tasks')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('status', '=', 'completed')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()) as Task | undefined;

type Attempt = Pick<Task, 'id' | 'attempt'>;
type TaskNotes = Partial<Pick<Task, 'attempt' | 'trace_id' | 'receipt_key' | 'quota_day' | 'asking'>>;

/** Writes for one attempt; false where another one has taken over, or the task has ended. */
export const noteTask = async (db: Db, { id, attempt }: Attempt, notes: TaskNotes): Promise<boolean> =>
  (await db
    .updateTable('tasks')
    .set(notes)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'working')
    .returning('id')
    .executeTakeFirst()) !== undefined;

/** Locks the task's row until the transaction ends; false if the attempt is no longer the current one. */
export const lockTask = (trx: Db, attempt: Attempt): Promise<boolean> =>
  noteTask(trx, attempt, { attempt: attempt.attempt });

/** Removes the question of a running task, for the one who answers it. False if it does not ask this any more. */
export const takeQuestion = async (db: Db, { user_id, id }: Owned, asking: string): Promise<boolean> =>
  (
    await db
      .updateTable('tasks')
      .set({ asking: null })
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .where('asking', '=', asking)
      .where('status', '=', 'working')
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

type TaskEnd = Pick<
  Task,
  | 'status'
  | 'status_reason'
  | 'output'
  | 'output_files'
  | 'error'
  | 'trace_id'
  | 'span_id'
  | 'receipt_id'
  | 'finished_at'
>;

/** Ends the attempt; undefined where another one has taken over, or the task has ended. */
export const endTask = async (trx: Db, { id, attempt }: Attempt, end: TaskEnd) =>
  (await trx
    .updateTable('tasks')
    .set({ ...end, asking: null })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'working')
    .returningAll()
    .executeTakeFirst()) as Task | undefined;

/** Keeps the task from being deleted until the transaction ends; false if it is gone. */
export const holdTask = async (trx: Db, { user_id, id }: Owned): Promise<boolean> =>
  (
    await trx
      .updateTable('tasks')
      .set((eb) => ({ created_at: eb.ref('created_at') }))
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

/** The user's running and queued tasks. */
export const countQueue = (db: Db, user_id: string): Promise<number> =>
  countOf(db.selectFrom('tasks').where('user_id', '=', user_id).where('status', '=', 'working'));

/**
 * Dispatches the user's longest waiting tasks, up to `most` running ones. Call it in a transaction that locks the account.
 * Returns the ids, for the job table.
 */
export async function dispatchNext(trx: Db, user_id: string, most: number, now: string): Promise<string[]> {
  const working = trx.selectFrom('tasks').where('user_id', '=', user_id).where('status', '=', 'working');
  const free = most - (await countOf(working.where('dispatched_at', 'is not', null)));
  if (free <= 0) return [];
  const next = await working
    .where('dispatched_at', 'is', null)
    .select('id')
    .orderBy('queued_at')
    .orderBy('id')
    .limit(free)
    .execute();
  const ids = next.map(({ id }) => id);
  if (ids.length > 0) await trx.updateTable('tasks').set({ dispatched_at: now }).where('id', 'in', ids).execute();
  return ids;
}

/** Tasks that were dispatched and have no job, because a process died in between. */
export const listDispatchedWithoutJob = (db: Db, most: number): Promise<Owned[]> =>
  db
    .selectFrom('tasks as t')
    .leftJoin('jobs as j', (join) => join.onRef('j.key', '=', 't.id').on('j.kind', '=', 'task'))
    .select(['t.id', 't.user_id'])
    .where('t.status', '=', 'working')
    .where('t.dispatched_at', 'is not', null)
    .where('j.id', 'is', null)
    .limit(most)
    .execute();

/** Users with waiting tasks and fewer than `at_work` running. */
export async function listUsersToDispatch(db: Db, at_work: number, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('user_id')
    .where('status', '=', 'working')
    .groupBy('user_id')
    .having((eb) => eb(eb.fn.count('dispatched_at'), '<', eb.fn.countAll()))
    .having((eb) => eb.fn.count('dispatched_at'), '<', at_work)
    .limit(most)
    .execute();
  return rows.map(({ user_id }) => user_id);
}
