import type { Kysely } from 'kysely';
import { type Quota, readQuota, takeRequest } from '#accounts/quotas/quota.ts';
import { lockUser } from '#accounts/users/users.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Caller } from '#core/http/caller.ts';
import { newId } from '#core/ids.ts';
import { briefOf } from '#core/problem/problem.ts';
import {
  countConversations,
  findConversation,
  insertConversation,
  type Taking,
  takeConversation,
} from '#surfaces/conversations/conversations.ts';
import type { AgentsDeps } from './deps.ts';
import type { Picked } from './pick-model.ts';
import {
  conversationBusy,
  conversationFull,
  interrupted,
  noSuchConversation,
  tooManyConversations,
} from './refusals.ts';
import type { ChatMessage, Conversation, Turn } from './turn.ts';
import { closeLost, insertTurn } from './turns.ts';

/** Starts a turn in one transaction: claims the conversation, counts the request and inserts the row. */

export interface StartedTurn {
  turn: Turn;
  conversation: Conversation;
  quota: Quota;
}

interface Beginning {
  conversation_id: string | null;
  said: readonly ChatMessage[];
}

export const LEASE_MS = 20_000;
const MOST_TURNS = 500;
const MOST_SIZE = 2 * 1024 * 1024;
const MOST_TITLE = 80;

type Deps = Pick<AgentsDeps, 'database' | 'clock' | 'countQuota' | 'config' | 'storage'>;

export async function beginTurn(
  deps: Deps,
  caller: Caller,
  order: Beginning,
  { model, is_llm }: Picked,
): Promise<StartedTurn> {
  const nowMs = deps.clock.now();
  const now = isoTime(nowMs);
  const taking: Taking = { turn_id: newId(), now, until: isoTime(nowMs + LEASE_MS) };
  return deps.database.db.transaction().execute(async (trx) => {
    const bytes = Buffer.byteLength(JSON.stringify(order.said));
    await deps.storage.require(trx, caller.user_id, 'conversations', bytes);
    const conversation = await takeOrMake(deps, trx, caller.user_id, order, taking);
    const turn: Turn = {
      id: taking.turn_id,
      conversation_id: conversation.id,
      seq: conversation.turns,
      status: 'working',
      model: model.id,
      input: [...order.said],
      message: '',
      messages: [],
      steps: [],
      usage: { input_tokens: 0, output_tokens: 0, requests: 0 },
      error: null,
      trace_id: '',
      created_at: now,
      finished_at: null,
    };
    await insertTurn(trx, turn);
    // Last, because it locks a row that all turns of this user write.
    const quota = is_llm ? await takeRequest(trx, caller, nowMs, deps.countQuota) : await readQuota(trx, caller, nowMs);
    return { turn, conversation, quota };
  });
}

async function takeOrMake(
  { config }: Deps,
  trx: Kysely<Schema>,
  user_id: string,
  { conversation_id, said }: Beginning,
  taking: Taking,
): Promise<Conversation> {
  if (conversation_id === null) {
    // Locked, so that concurrent turns cannot exceed the limit together.
    await lockUser(trx, user_id);
    const most = config.conversations_per_user;
    if ((await countConversations(trx, user_id)) >= most) throw tooManyConversations(most);
    return insertConversation(trx, { user_id, id: newId() }, titleOf(said), taking);
  }
  const taken = await takeConversation(trx, { user_id, id: conversation_id }, taking);
  if (taken === undefined) {
    const known = await findConversation(trx, { user_id, id: conversation_id });
    throw known === undefined ? noSuchConversation() : conversationBusy();
  }
  if (taken.turns > MOST_TURNS || taken.size > MOST_SIZE) throw conversationFull();
  await closeLost(trx, taken.id, briefOf(interrupted()), taking.now);
  return taken;
}

function titleOf(said: readonly ChatMessage[]): string {
  const line = (said.find((entry) => entry.role === 'user')?.content ?? '').replace(/\s+/gu, ' ').trim();
  return storable(line.length <= MOST_TITLE ? line : `${line.slice(0, MOST_TITLE - 1)}…`);
}
