import type { Handler } from '#core/http/operation.ts';
import type { skillsContract } from './contract.ts';
import { findSkill } from './find-skill.ts';
import { fileReply } from './get-file.ts';
import type { SkillShelf } from './load-skills.ts';

export const getSkillMd =
  (shelf: SkillShelf): Handler<typeof skillsContract.getMd> =>
  ({ params }) =>
    fileReply(findSkill(shelf, params.name), 'SKILL.md');
