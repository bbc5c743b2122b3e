import { type Handler, json } from '#core/http/operation.ts';
import { readChosen } from '#runtime/models/chosen-models.ts';
import type { agentContract } from './contract.ts';
import type { Agent } from './run-turn.ts';

/** GET /api/agents/core-agent/available-models */
export const listModels =
  ({ deps: { models, database } }: Agent): Handler<typeof agentContract.listModels> =>
  async ({ caller }) => {
    const [items, chosen] = await Promise.all([models.listLive(), readChosen(database.db, caller.user_id)]);
    return json({ items, current: chosen ?? models.current });
  };
