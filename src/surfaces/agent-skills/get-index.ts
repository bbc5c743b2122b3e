import { type Handler, json } from '#core/http/operation.ts';
import type { agentSkillsContract } from './contract.ts';
import type { PackedSkills } from './packed-skills.ts';
import { skillsIndex } from './skills-index.ts';

/** GET /.well-known/agent-skills/index.json */
export const getSkillsIndex =
  (packed: PackedSkills): Handler<typeof agentSkillsContract.getIndex> =>
  async () =>
    json(await skillsIndex(packed, await packed.list()));
