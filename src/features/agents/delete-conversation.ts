import { type Handler, json } from '../../platform/http/operation.ts';
import { DELETED } from '../users/deleted.ts';
import type { agentsContract } from './contract.ts';
import { deleteConversation as removeConversation } from './conversations.ts';
import { noSuchConversation } from './refusals.ts';
import type { Agent } from './run-turn.ts';

/** DELETE /api/agents/core-agent/conversations/{id}. A turn at work finds itself gone, and ends. */
export const deleteConversation =
  ({ deps: { database } }: Agent): Handler<typeof agentsContract.deleteConversation> =>
  async ({ params: { id }, caller: { user_id } }) => {
    if (!(await removeConversation(database.db, { user_id, id }))) throw noSuchConversation();
    return json(DELETED);
  };
