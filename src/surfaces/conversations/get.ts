import { type Handler, json } from '#core/http/operation.ts';
import { noSuchConversation } from '#surfaces/agent/refusals.ts';
import type { Agent } from '#surfaces/agent/run-turn.ts';
import { shownConversation, shownTurn } from '#surfaces/agent/shown.ts';
import { listTurns } from '#surfaces/agent/turns.ts';
import type { conversationsContract } from './contract.ts';
import { findConversation } from './conversations.ts';

/** No conversation has more turns. */
const MOST = 1_000;

/** GET /api/agents/core-agent/conversations/{id} */
export const getConversation =
  ({ deps: { database } }: Agent): Handler<typeof conversationsContract.get> =>
  async ({ params: { id }, caller: { user_id } }) => {
    const found = await findConversation(database.db, { user_id, id });
    if (found === undefined) throw noSuchConversation();
    const turns = await listTurns(database.db, id, MOST);
    return json({ ...shownConversation(found), items: turns.map(shownTurn) });
  };
