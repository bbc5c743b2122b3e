import type { SkillShelf } from '#runtime/skills/load-skills.ts';
import type { ResolveKind } from './capability.ts';
import { capabilityUnknown } from './errors.ts';
import { type SkillDeps, skillCapability } from './skill-capability.ts';

/** `skill`: a first-party skill by its name. */
export const resolveSkill =
  (deps: SkillDeps & { skills: Pick<SkillShelf, 'get'> }): ResolveKind =>
  async ({ kind, ref }) => {
    const skill = deps.skills.get(ref);
    if (skill === undefined)
      throw capabilityUnknown(`There is no skill of the name ${JSON.stringify(ref.slice(0, 100))}.`);
    return skillCapability({ kind, ref }, skill, deps);
  };
