import type { Kysely } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Log } from '#core/log.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { Tasks } from '#runtime/tasks/open-tasks.ts';
import type { Agents } from '#surfaces/agent/open-agents.ts';

export interface A2aDeps {
  db: Kysely<Schema>;
  clock: Clock;
  log: Log;
  skills: SkillStore;
  tasks: Pick<Tasks, 'deps'>;
  /** The public URL without a trailing slash. */
  base_url: string;
  agents: Pick<Agents, 'runTurn' | 'cancelTurn'>;
}
