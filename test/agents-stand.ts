import { type AtWork, atWork } from '../src/features/agents/at-work.ts';
import type { AgentsDeps } from '../src/features/agents/deps.ts';
import { type Agents, openAgents } from '../src/features/agents/open-agents.ts';
import { startTracing } from '../src/features/traces/tracing.ts';
import { createUser } from '../src/features/users/users.ts';
import { systemClock } from '../src/platform/clock.ts';
import { explainDatabaseFailure } from '../src/platform/db/failure.ts';
import type { Database } from '../src/platform/db/open.ts';
import type { Caller } from '../src/platform/http/caller.ts';
import type { Models } from '../src/platform/llm/models.ts';
import { createLog } from '../src/platform/log.ts';
import type { Tool } from '../src/platform/tools/tool.ts';
import { smallShelf } from './small-shelf.ts';
import { ROOMY } from './storage.ts';
import { callerOf } from './tool-calls.ts';

/** The agent on a database, with tools of the test's own. */
export interface AgentsStand {
  agents: Agents;
  turns: AtWork;
  newCaller(tier?: string): Promise<Caller>;
}

export function agentsStand(
  database: Database,
  models: Models,
  more: Partial<AgentsDeps> & { tools?: Tool[] } = {},
): AgentsStand {
  const { tools = [], ...rest } = more;
  const turns = atWork();
  const agents = openAgents({
    database,
    models,
    clock: systemClock,
    log: createLog('silent'),
    skills: smallShelf,
    offer: { tools },
    turns,
    storage: ROOMY,
    tracing: startTracing({ save: async () => {}, on_error: () => {} }),
    explain: explainDatabaseFailure,
    config: {
      max_steps: 8,
      max_tokens: 100_000,
      timeout_ms: 20_000,
      at_once: 200,
      conversations_per_user: 200,
      retention_ms: 86_400_000,
    },
    ...rest,
  });
  const newCaller = async (tier = 'pro') => {
    const { id } = await createUser(database.db, 'Ada', new Date().toISOString());
    return { ...callerOf(id), tier };
  };
  return { agents, turns, newCaller };
}
