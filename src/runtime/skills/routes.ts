import type { Routes } from '#core/http/operation.ts';
import type { skillsContract } from './contract.ts';
import { getSkill } from './get.ts';
import { getSkillFile } from './get-file.ts';
import { getSkillMd } from './get-md.ts';
import { listSkills } from './list.ts';
import type { SkillShelf } from './load-skills.ts';

export const skillsRoutes = (shelf: SkillShelf): Routes<typeof skillsContract> => ({
  list: listSkills(shelf),
  get: getSkill(shelf),
  getMd: getSkillMd(shelf),
  getFile: getSkillFile(shelf),
});
