import type { Routes } from '../../platform/http/operation.ts';
import type { skillsContract } from './contract.ts';
import { getSkill } from './get-skill.ts';
import { getSkillFile } from './get-skill-file.ts';
import { getSkillMd } from './get-skill-md.ts';
import { listSkills } from './list-skills.ts';
import type { SkillShelf } from './load-skills.ts';

export const skillsRoutes = (shelf: SkillShelf): Routes<typeof skillsContract> => ({
  listSkills: listSkills(shelf),
  getSkill: getSkill(shelf),
  getSkillMd: getSkillMd(shelf),
  getSkillFile: getSkillFile(shelf),
});
