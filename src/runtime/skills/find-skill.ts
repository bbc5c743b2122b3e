import { editDistance } from '#core/text/edit-distance.ts';
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

/** Up to three names that share a word with `name` or differ from it by a few letters, nearest first. */
export function closeNames(name: string, names: readonly string[]): string[] {
  const wanted = name.slice(0, 64).toLowerCase();
  const words = wanted.split(/[^a-z0-9]+/).filter((word) => word.length > 2);
  return names
    .map((candidate) => {
      const shared = candidate.split('-').filter((word) => words.includes(word)).length;
      const distance = editDistance(wanted, candidate);
      return { candidate, shared, distance, near: distance <= Math.max(2, candidate.length / 4) };
    })
    .filter(({ shared, near }) => shared > 0 || near)
    .sort((a, b) => Number(b.near) - Number(a.near) || b.shared - a.shared || a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}
