import { type Handler, json } from '#core/http/operation.ts';
import type { skillsContract } from './contract.ts';
import { findSkill } from './find-skill.ts';
import type { SkillShelf } from './load-skills.ts';
import { summaryOf } from './skill-summary.ts';

export const getSkill =
  (shelf: SkillShelf): Handler<typeof skillsContract.get> =>
  ({ params }) => {
    const skill = findSkill(shelf, params.name);
    const { frontmatter, body, example } = skill;
    return json({ ...summaryOf(skill), frontmatter, body, ...(example ? { example } : {}) });
  };
