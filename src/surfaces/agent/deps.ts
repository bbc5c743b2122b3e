import type { CountQuota } from '#accounts/quotas/quota.ts';
import type { ListingSearch } from '#catalog/search/listing-search.ts';
import type { QuestionDesk } from '#connections/questions/question-desk.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Values } from '#core/config/config.ts';
import type { Database } from '#core/db/open.ts';
import type { Models } from '#core/llm/models.ts';
import type { Log } from '#core/log.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { Offer } from '#core/tools/offer.ts';
import type { Tracing } from '#core/traces/tracing.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { AtWork } from './at-work.ts';
import type { AGENT_SETTINGS } from './settings.ts';

/** Dependencies of the agent. Its tools are those offered to all models. */
export interface AgentsDeps {
  database: Pick<Database, 'db'>;
  clock: Clock;
  log: Log;
  models: Models;
  skills: SkillStore;
  search: Pick<ListingSearch, 'builtIn'>;
  /** Running turns of this thread. */
  turns: AtWork;
  tracing: Tracing;
  countQuota?: CountQuota;
  storage: StorageGate;
  /** Questions of servers to the person at the chat. */
  questions: QuestionDesk;
  offer: Pick<Offer, 'tools'>;
  /** Converts errors that an operator can fix to Problems. */
  explain(error: unknown): unknown;
  config: Values<typeof AGENT_SETTINGS>;
}
