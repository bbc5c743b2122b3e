import type { Routes } from '#core/http/operation.ts';
import type { skillsContract } from './contract.ts';
import { getSkill } from './get.ts';
import { getSkillFile } from './get-file.ts';
import { getSkillMd } from './get-md.ts';
import { listSkills } from './list.ts';
import type { SkillStore } from './load-skills.ts';

export const skillsRoutes = (store: SkillStore): Routes<typeof skillsContract> => ({
  list: listSkills(store),
  get: getSkill(store),
  getMd: getSkillMd(store),
  getFile: getSkillFile(store),
});
