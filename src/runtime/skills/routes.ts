import type { Routes } from '#core/http/operation.ts';
import type { skillsContract } from './contract.ts';
import { getSkill } from './get.ts';
import { getSkillFile } from './get-file.ts';
import { getSkillMd } from './get-md.ts';
import { listSkills } from './list.ts';
import type { SkillShelf } from './load-skills.ts';

export const skillsRoutes = (shelf: SkillShelf): Routes<typeof skillsContract> => ({
  listSkills: listSkills(shelf),
  getSkill: getSkill(shelf),
  getSkillMd: getSkillMd(shelf),
  getSkillFile: getSkillFile(shelf),
});
