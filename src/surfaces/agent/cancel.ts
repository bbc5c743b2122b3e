import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { agentContract } from './contract.ts';
import { noSuchTurn } from './refusals.ts';
import type { Agent } from './run-turn.ts';
import { requestCancel } from './turns.ts';

/** POST /api/agents/core-agent/turns/{turn_id}/cancel */
export const cancel =
  ({ deps: { database, clock } }: Agent): Handler<typeof agentContract.cancel> =>
  async ({ params: { turn_id }, caller }) => {
    if (!(await requestCancel(database.db, caller.user_id, turn_id, isoTime(clock.now())))) throw noSuchTurn();
    return json({ id: turn_id });
  };
