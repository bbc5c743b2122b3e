import { type Handler, json } from '#core/http/operation.ts';
import type { interopContract } from '#surfaces/interop/contract.ts';
import type { PackedSkills } from './packed-skills.ts';
import { skillsIndex } from './skills-index.ts';

/** GET /skills/{name}/.well-known/agent-skills/index.json: what `npx skills add …/skills/<name>` asks for. */
export const getOneSkillIndex =
  (packed: PackedSkills): Handler<typeof interopContract.getOneSkillIndex> =>
  async ({ params }) =>
    json(await skillsIndex(packed, [await packed.find(params.name)]));
