import type { Handler } from '#core/http/operation.ts';
import type { skillsContract } from './contract.ts';
import { findSkill } from './find-skill.ts';
import { fileReply } from './get-file.ts';
import type { SkillStore } from './load-skills.ts';

export const getSkillMd =
  (store: SkillStore): Handler<typeof skillsContract.getMd> =>
  ({ params }) =>
    fileReply(findSkill(store, params.name), 'SKILL.md');
