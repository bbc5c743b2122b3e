import type { PackagedServers } from '#core/mcp/packaged-servers.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { TasksDeps } from '#runtime/tasks/deps.ts';
import type { TrialLimits } from './trial-days.ts';

/** Dependencies of runs without an account. */
export interface TrialsDeps {
  tasks: TasksDeps;
  skills: { get(name: string): Skill | undefined };
  packaged: Pick<PackagedServers, 'refusal'>;
  limits: TrialLimits;
  /** How long a run is kept after its end. */
  kept_ms: number;
}
