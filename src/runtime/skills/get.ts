import { defined } from '#core/defined.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { skillsContract } from './contract.ts';
import { findSkill } from './find-skill.ts';
import type { SkillStore } from './load-skills.ts';
import { summaryOf } from './skill-summary.ts';

export const getSkill =
  (store: SkillStore): Handler<typeof skillsContract.get> =>
  ({ params }) => {
    const skill = findSkill(store, params.name);
    const { frontmatter, body, example } = skill;
    return json({ ...summaryOf(skill), frontmatter, body, ...defined({ example: example || undefined }) });
  };
