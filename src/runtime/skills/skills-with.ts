import { fold } from '#catalog/changes/fold.ts';
import type { SkillStore } from './load-skills.ts';
import type { Skill } from './skill.ts';

/** The skills that have all of the folded terms in name or description; those with more of them in the name first. */
type SkillsWith = (terms: readonly string[]) => Skill[];

export function skillsWith({ skills }: Pick<SkillStore, 'skills'>): SkillsWith {
  const known = skills.map((skill) => ({ skill, named: fold(skill.name), said: fold(skill.description) }));
  return (terms) => {
    const found = known.filter(({ named, said }) => terms.every((term) => named.includes(term) || said.includes(term)));
    const inName = ({ named }: (typeof known)[number]): number => terms.filter((term) => named.includes(term)).length;
    return found.toSorted((a, b) => inName(b) - inName(a)).map(({ skill }) => skill);
  };
}
