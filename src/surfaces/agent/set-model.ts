import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { chooseModel } from '#runtime/models/chosen-models.ts';
import type { agentContract } from './contract.ts';
import { modelOf } from './pick-model.ts';
import type { Agent } from './run-turn.ts';

/** POST /api/agents/core-agent/set-model */
export const setModel =
  ({ deps: { models, database, clock } }: Agent): Handler<typeof agentContract.setModel> =>
  async ({ body: { model }, caller }) => {
    const { is_llm } = modelOf(models, model);
    await chooseModel(database.db, caller.user_id, model, isoTime(clock.now()));
    return json({ model, is_llm });
  };
