import { DELETED } from '#accounts/users/deleted.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { noSuchConversation } from '#surfaces/agent/refusals.ts';
import type { Agent } from '#surfaces/agent/run-turn.ts';
import type { conversationsContract } from './contract.ts';
import { deleteConversation as removeConversation } from './conversations.ts';

/** DELETE /api/agents/core-agent/conversations/{id}. A running turn notices and ends. */
export const deleteConversation =
  ({ deps: { database } }: Agent): Handler<typeof conversationsContract.delete> =>
  async ({ params: { id }, caller: { user_id } }) => {
    if (!(await removeConversation(database.db, { user_id, id }))) throw noSuchConversation();
    return json(DELETED);
  };
