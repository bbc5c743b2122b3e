import { createSecretKey, randomBytes } from 'node:crypto';
import { createUser } from '#accounts/users/users.ts';
import { openQuestionDesk, type QuestionDesk } from '#connections/questions/question-desk.ts';
import { systemClock } from '#core/clock/clock.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { explainDatabaseFailure } from '#core/db/failure.ts';
import type { Database } from '#core/db/open.ts';
import type { Caller } from '#core/http/caller.ts';
import type { Models } from '#core/llm/models.ts';
import { createLog } from '#core/log.ts';
import type { Tool } from '#core/tools/tool.ts';
import { startTracing } from '#core/traces/tracing.ts';
import { type AtWork, atWork } from '#surfaces/agent/at-work.ts';
import type { AgentsDeps } from '#surfaces/agent/deps.ts';
import { type Agents, openAgents } from '#surfaces/agent/open-agents.ts';
import { searchOver } from './listing-search.ts';
import { smallSkillStore } from './small-skill-store.ts';
import { ROOMY } from './storage.ts';
import { callerOf } from './tool-calls.ts';

/** The agent on a database, with tools of the test's own. */
interface AgentsStand {
  agents: Agents;
  turns: AtWork;
  questions: QuestionDesk;
  newCaller(tier?: string): Promise<Caller>;
}

export function agentsStand(
  database: Database,
  models: Models,
  more: Partial<AgentsDeps> & { tools?: Tool[] } = {},
): AgentsStand {
  const { tools = [], ...rest } = more;
  const turns = atWork();
  const keys = keyProvider([createSecretKey(randomBytes(32))]);
  const questions = openQuestionDesk({ database, clock: systemClock, keys });
  const agents = openAgents({
    database,
    models,
    clock: systemClock,
    log: createLog('silent'),
    skills: smallSkillStore,
    search: searchOver([], smallSkillStore.skills),
    offer: { tools },
    turns,
    questions,
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
  return { agents, turns, questions, newCaller };
}
