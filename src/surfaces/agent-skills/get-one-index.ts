import { type Handler, json } from '#core/http/operation.ts';
import type { agentSkillsContract } from './contract.ts';
import type { PackedSkills } from './packed-skills.ts';
import { skillsIndex } from './skills-index.ts';

/** GET /skills/{name}/.well-known/agent-skills/index.json, which `npx skills add …/skills/<name>` requests. */
export const getOneSkillIndex =
  (packed: PackedSkills): Handler<typeof agentSkillsContract.getOneIndex> =>
  async ({ params }) =>
    json(await skillsIndex(packed, [await packed.find(params.name)]));
