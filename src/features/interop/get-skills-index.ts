import { type Handler, json } from '../../platform/http/operation.ts';
import type { interopContract } from './contract.ts';
import type { PackedSkills } from './skills/packed-skills.ts';
import { skillsIndex } from './skills/skills-index.ts';

/** GET /.well-known/agent-skills/index.json */
export const getSkillsIndex =
  (packed: PackedSkills): Handler<typeof interopContract.getSkillsIndex> =>
  async () =>
    json(await skillsIndex(packed, await packed.list()));
