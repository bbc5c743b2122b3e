import type { Kysely } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Schema } from '../../../platform/db/schema.ts';
import type { Log } from '../../../platform/log.ts';
import type { SkillShelf } from '../../skills/load-skills.ts';
import type { Tasks } from '../../tasks/open-tasks.ts';
import type { Agents } from '../open-agents.ts';

export interface A2aDeps {
  db: Kysely<Schema>;
  clock: Clock;
  log: Log;
  skills: SkillShelf;
  tasks: Pick<Tasks, 'deps'>;
  /** Where clients reach the service, without a trailing slash. */
  base_url: string;
  agents: Pick<Agents, 'runTurn' | 'cancelTurn'>;
}
