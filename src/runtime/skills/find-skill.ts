import { closeNames } from '#core/text/close-names.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { SkillStore } from './load-skills.ts';
import type { Skill } from './skill.ts';

/** The skill of that name, or a Problem `skills.not_found` (`skill`) that lists similar names. */
export function findSkill(store: SkillStore, name: string): Skill {
  const skill = store.get(name);
  if (skill) return skill;
  const names = store.skills.map((candidate) => candidate.name);
  const close = closeNames(name, names);
  const hint = close.length > 0 ? `Similar names: ${close.join(', ')}.` : 'GET /api/skills lists them all.';
  throw runtimeProblem('skills.not_found', `Skill ${JSON.stringify(name.slice(0, 100))} not found. ${hint}`, {
    reason: 'skill',
  });
}
