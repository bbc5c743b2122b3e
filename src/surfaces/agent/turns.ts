import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { TurnRow } from '#core/db/schema-agents.ts';
import type { ProblemBrief } from '#core/problem/problem.ts';
import type { Turn, TurnState } from './turn.ts';

/** The only SQL that uses `agent_turns`. */

type Db = Kysely<Schema>;

function shaped(row: Selectable<TurnRow>): Turn {
  const { id, conversation_id, seq, status, model, message, trace_id, created_at, finished_at } = row;
  return {
    id,
    conversation_id,
    seq: Number(seq),
    status: status as TurnState,
    model,
    message,
    trace_id,
    input: JSON.parse(row.input),
    messages: JSON.parse(row.messages),
    steps: JSON.parse(row.steps),
    usage: JSON.parse(row.usage),
    error: row.error === null ? null : JSON.parse(row.error),
    created_at,
    finished_at,
  };
}

const written = ({ input, messages, steps, usage, error, ...rest }: Turn): Omit<TurnRow, 'cancel_requested_at'> => ({
  ...rest,
  input: JSON.stringify(input),
  messages: JSON.stringify(messages),
  steps: JSON.stringify(steps),
  usage: JSON.stringify(usage),
  error: error === null ? null : JSON.stringify(error),
});

export async function insertTurn(trx: Db, turn: Turn): Promise<void> {
  await trx
    .insertInto('agent_turns')
    .values({ ...written(turn), cancel_requested_at: null })
    .execute();
}

/** Returns its size in characters. */
export async function finishTurn(trx: Db, turn: Turn): Promise<number> {
  const { id, conversation_id: _, seq: __, created_at: ___, ...rest } = written(turn);
  await trx.updateTable('agent_turns').set(rest).where('id', '=', id).execute();
  return rest.input.length + rest.message.length + rest.messages.length + rest.steps.length;
}

/** Ends turns whose process is gone, when another turn takes their conversation. */
export async function closeLost(trx: Db, conversation_id: string, error: ProblemBrief, now: string): Promise<void> {
  await trx
    .updateTable('agent_turns')
    .set({ status: 'failed', error: JSON.stringify(error), finished_at: now })
    .where('conversation_id', '=', conversation_id)
    .where('status', '=', 'working')
    .execute();
}

/** The newest `most`, in order. */
export async function listTurns(db: Db, conversation_id: string, most: number): Promise<Turn[]> {
  const rows = await db
    .selectFrom('agent_turns')
    .selectAll()
    .where('conversation_id', '=', conversation_id)
    .orderBy('seq', 'desc')
    .limit(most)
    .execute();
  return rows.reverse().map(shaped);
}

/** The process that runs the turn polls for this a few times a second. Returns false if it is not running. */
export async function requestCancel(db: Db, user_id: string, turn_id: string, now: string): Promise<boolean> {
  const [result] = await db
    .updateTable('agent_turns')
    .set({ cancel_requested_at: now })
    .where('id', '=', turn_id)
    .where('status', '=', 'working')
    .where('conversation_id', 'in', (eb) =>
      eb.selectFrom('agent_conversations').select('id').where('user_id', '=', user_id),
    )
    .execute();
  return Number(result?.numUpdatedRows ?? 0) === 1;
}

/** Whether the turn should end: on request, or because its conversation was deleted. */
export async function isUnwanted(db: Db, turn_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('agent_turns')
    .select('cancel_requested_at')
    .where('id', '=', turn_id)
    .executeTakeFirst();
  return row === undefined || row.cancel_requested_at !== null;
}
