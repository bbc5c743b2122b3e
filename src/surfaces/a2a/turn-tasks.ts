import { type Kysely, sql } from 'kysely';
import { countOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ProblemBrief } from '#core/problem/problem.ts';
import type { TaskState } from '#runtime/tasks/states.ts';
import { questionIn, type TaskQuestion } from '#runtime/tasks/task-question.ts';
import type { ChatMessage, Step } from '#surfaces/agent/turn.ts';

/**
 * Turns as A2A tasks, read in one query with the Capstan task that continues them. The only SQL that uses
 * `agent_a2a_turns`.
 */

type Db = Kysely<Schema>;

export interface TurnTask {
  /** The turn's id. */
  id: string;
  conversation_id: string;
  state: TaskState;
  /** When it reached this state. */
  at: string;
  input: ChatMessage[];
  message: string;
  model: string;
  steps: Step[];
  /** Of the turn, or of the task that continues it. */
  error: ProblemBrief | null;
  trace_id: string;
  /** The sender's message id; null if the turn did not come through A2A. */
  message_id: string | null;
  /** The Capstan task that continues it. */
  task_id: string | null;
  /** What a server asks during the run of that task. */
  server_question: TaskQuestion | null;
}

export interface Owned {
  user_id: string;
  id: string;
}

/** A turn whose process is gone has ended, although nothing recorded it. */
const stateAt = (now: string) => sql<TaskState>`case
  when t.status = 'working' then
    case when c.working_turn = t.id and c.working_until >= ${now} then 'working' else 'failed' end
  when k.status = 'working' and k.asking is not null then 'input_required'
  when k.id is not null then k.status
  else t.status end`;
const AT = sql<string>`case when k.id is null then coalesce(t.finished_at, t.created_at)
  else coalesce(k.finished_at, t.finished_at, t.created_at) end`;

const of = (db: Db, userId: string) =>
  db
    .selectFrom('agent_turns as t')
    .innerJoin('agent_conversations as c', 'c.id', 't.conversation_id')
    .leftJoin('agent_a2a_turns as a', 'a.turn_id', 't.id')
    .leftJoin('tasks as k', 'k.id', 'a.task_id')
    .where('c.user_id', '=', userId);

const COLUMNS = [
  ...(['t.id', 't.conversation_id', 't.input', 't.message', 't.model', 't.steps', 't.trace_id'] as const),
  ...(['t.error as turn_error', 'k.error as task_error', 'k.id as task_id', 'k.asking', 'a.message_id'] as const),
] as const;

export async function findTurnTask(db: Db, { user_id, id }: Owned, now: string): Promise<TurnTask | undefined> {
  const row = await of(db, user_id)
    .where('t.id', '=', id)
    .select(COLUMNS)
    .select([stateAt(now).as('state'), AT.as('at')])
    .executeTakeFirst();
  return row && shaped(row);
}

interface TurnTaskFilter {
  conversation_id?: string | undefined;
  state?: TaskState | undefined;
  /** At this time or later. */
  since?: string | undefined;
}

export interface Place {
  at: string;
  id: string;
}

/** Newest first, after `after`; `total_count` counts all matches. */
export async function listTurnTasks(
  db: Db,
  user_id: string,
  { conversation_id, state, since }: TurnTaskFilter,
  page: { after: Place | undefined; limit: number; now: string },
): Promise<{ items: TurnTask[]; total_count: number }> {
  const { after, limit, now } = page;
  const fitting = of(db, user_id)
    .$if(conversation_id !== undefined, (query) => query.where('t.conversation_id', '=', conversation_id as string))
    .$if(state !== undefined, (query) => query.where(stateAt(now), '=', state as TaskState))
    .$if(since !== undefined, (query) => query.where(AT, '>=', since as string));
  const rows = await fitting
    .$if(after !== undefined, (query) =>
      query.where((eb) => {
        const { at, id } = after as Place;
        return eb.or([eb(AT, '<', at), eb.and([eb(AT, '=', at), eb('t.id', '<', id)])]);
      }),
    )
    .select(COLUMNS)
    .select([stateAt(now).as('state'), AT.as('at')])
    .orderBy(AT, 'desc')
    .orderBy('t.id', 'desc')
    .limit(limit)
    .execute();
  return { items: rows.map(shaped), total_count: await countOf(fitting) };
}

/** Records that a turn came through A2A. */
export const noteTurn = async (db: Db, turn_id: string, message_id: string): Promise<void> =>
  void (await db.insertInto('agent_a2a_turns').values({ turn_id, message_id, task_id: null }).execute());

/** Records the task that continues a turn. */
export const followTask = async (db: Db, turn_id: string, task_id: string): Promise<void> =>
  void (await db.updateTable('agent_a2a_turns').set({ task_id }).where('turn_id', '=', turn_id).execute());

interface Row {
  id: string;
  conversation_id: string;
  state: TaskState;
  at: string;
  input: string;
  message: string;
  model: string;
  steps: string;
  turn_error: string | null;
  task_error: string | null;
  trace_id: string;
  message_id: string | null;
  task_id: string | null;
  asking: string | null;
}

function shaped({ input, steps, turn_error, task_error, asking, ...rest }: Row): TurnTask {
  const error = task_error ?? turn_error;
  return {
    ...rest,
    server_question: rest.state === 'input_required' ? questionIn(asking) : null,
    input: JSON.parse(input),
    steps: JSON.parse(steps),
    error: error === null ? null : JSON.parse(error),
  };
}
