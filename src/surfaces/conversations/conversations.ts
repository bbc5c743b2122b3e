import type { Kysely, Selectable } from 'kysely';
import { countOf, type FoundPage, type PagePlace, pageOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ConversationRow } from '#core/db/schema-agents.ts';
import { freshState, readState } from '#surfaces/agent/gate/state.ts';
import type { Conversation } from '#surfaces/agent/turn.ts';

/** The only SQL that uses `agent_conversations`. At most one turn of a conversation runs. */

type Db = Kysely<Schema>;

interface Owned {
  user_id: string;
  id: string;
}

const shaped = ({ id, title, turns, state, created_at, updated_at }: Selectable<ConversationRow>): Conversation => ({
  id,
  title,
  turns,
  state: readState(state),
  created_at,
  updated_at,
});

export interface Taking {
  turn_id: string;
  now: string;
  /** After this time another turn may take it, because its process is gone. */
  until: string;
}

/** Inserted with its first running turn. */
export async function insertConversation(
  trx: Db,
  { user_id, id }: Owned,
  title: string,
  { turn_id, now, until }: Taking,
): Promise<Conversation> {
  const row: ConversationRow = {
    id,
    user_id,
    title,
    state: JSON.stringify(freshState()),
    turns: 1,
    size: 0,
    working_turn: turn_id,
    working_until: until,
    created_at: now,
    updated_at: now,
  };
  await trx.insertInto('agent_conversations').values(row).execute();
  return shaped(row);
}

/** Of concurrent turns, one gets the conversation. Undefined if it does not exist or a turn is running in it. */
export async function takeConversation(
  trx: Db,
  { user_id, id }: Owned,
  { turn_id, now, until }: Taking,
): Promise<(Conversation & { size: number }) | undefined> {
  const row = await trx
    .updateTable('agent_conversations')
    .set((eb) => ({ working_turn: turn_id, working_until: until, turns: eb('turns', '+', 1) }))
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where((eb) => eb.or([eb('working_turn', 'is', null), eb('working_until', '<', now)]))
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : { ...shaped(row), size: Number(row.size) };
}

/** Extends the claim while the turn runs. */
export async function keepConversation(db: Db, id: string, turn_id: string, until: string): Promise<void> {
  await db
    .updateTable('agent_conversations')
    .set({ working_until: until })
    .where('id', '=', id)
    .where('working_turn', '=', turn_id)
    .execute();
}

/** Releases conversations whose turn missed its whole lease. */
export async function releaseLost(trx: Db, now: string, most: number): Promise<string[]> {
  const lost = await trx
    .selectFrom('agent_conversations')
    .select('id')
    .where('working_turn', 'is not', null)
    .where('working_until', '<', now)
    .limit(most)
    .execute();
  const rows = await trx
    .updateTable('agent_conversations')
    .set({ working_turn: null, working_until: null })
    .where('id', 'in', lost.map(({ id }) => id).concat(''))
    .where('working_until', '<', now)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

interface Left {
  id: string;
  turn_id: string;
  state: string;
  /** Characters that the turn adds. */
  size: number;
  now: string;
}

/** Returns false if it was deleted or taken over. */
export async function leaveConversation(trx: Db, { id, turn_id, state, size, now }: Left): Promise<boolean> {
  const [result] = await trx
    .updateTable('agent_conversations')
    .set((eb) => ({ working_turn: null, working_until: null, state, size: eb('size', '+', size), updated_at: now }))
    .where('id', '=', id)
    .where('working_turn', '=', turn_id)
    .execute();
  return Number(result?.numUpdatedRows ?? 0) === 1;
}

export async function findConversation(db: Db, { user_id, id }: Owned): Promise<Conversation | undefined> {
  const row = await db
    .selectFrom('agent_conversations')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return row === undefined ? undefined : shaped(row);
}

const ofUser = (db: Db, userId: string) => db.selectFrom('agent_conversations').where('user_id', '=', userId);

export const countConversations = (db: Db, user_id: string): Promise<number> => countOf(ofUser(db, user_id));

/** Conversations with a running turn. */
export const countWorking = (db: Db, user_id: string, now: string): Promise<number> =>
  countOf(ofUser(db, user_id).where('working_until', '>=', now));

/** Newest first. */
export async function listConversations(db: Db, user_id: string, page: PagePlace): Promise<FoundPage<Conversation>> {
  const { items, total_count } = await pageOf(ofUser(db, user_id), page, (of) =>
    of.selectAll().orderBy('updated_at', 'desc').orderBy('id', 'desc'),
  );
  return { items: items.map(shaped), total_count };
}

/** Also deletes its turns. Returns false if there is none. */
export async function deleteConversation(db: Db, { user_id, id }: Owned): Promise<boolean> {
  const [result] = await db
    .deleteFrom('agent_conversations')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .execute();
  return Number(result?.numDeletedRows ?? 0) === 1;
}

/** Deletes up to `most` of the oldest conversations without a turn since `time`. Returns their number. */
export async function deleteConversationsBefore(db: Db, time: string, most: number): Promise<number> {
  const oldest = db
    .selectFrom('agent_conversations')
    .select('id')
    .where('updated_at', '<', time)
    .where((eb) => eb.or([eb('working_until', 'is', null), eb('working_until', '<', time)]))
    .orderBy('updated_at')
    .limit(most);
  const [result] = await db.deleteFrom('agent_conversations').where('id', 'in', oldest).execute();
  return Number(result?.numDeletedRows ?? 0);
}
