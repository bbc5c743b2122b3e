import { readQuota } from '#accounts/quotas/quota.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import { SERVICE } from '#core/service.ts';
import { readChosen } from '#runtime/models/chosen-models.ts';
import { countWorking } from '#surfaces/conversations/conversations.ts';
import { toolsFor } from './agent-tools.ts';
import type { agentContract } from './contract.ts';
import { modelOf } from './pick-model.ts';
import type { Agent } from './run-turn.ts';

/** GET /api/agents/core-agent/status */
export const getStatus =
  ({ deps, tools }: Agent): Handler<typeof agentContract.getStatus> =>
  async ({ caller }) => {
    const { database, clock, models } = deps;
    const nowMs = clock.now();
    const model = (await readChosen(database.db, caller.user_id)) ?? models.current;
    return json({
      ...standingOf(deps.models, model),
      model,
      tools: toolsFor(tools, caller).map(({ tool }) => tool.name),
      queue: { at_work: await countWorking(database.db, caller.user_id, isoTime(nowMs)) },
      quota: await readQuota(database.db, caller, nowMs),
      version: SERVICE.version,
    });
  };

function standingOf(models: Agent['deps']['models'], id: string) {
  try {
    return { status: 'ready' as const, reason: null, is_llm: modelOf(models, id).is_llm };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: 'model_unavailable' as const, reason: error.message, is_llm: true };
  }
}
