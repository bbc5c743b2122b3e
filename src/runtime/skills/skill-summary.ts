import type { Static } from 'typebox';
import type { SkillSummary } from './contract.ts';
import type { Skill } from './skill.ts';

/** A skill in lists. */
export const summaryOf = (skill: Skill): Static<typeof SkillSummary> => ({
  name: skill.name,
  description: skill.description,
  version: skill.version,
  license: skill.license,
  execution_class: skill.execution_class,
  compatibility: skill.compatibility,
  files: skill.files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
  digest: skill.digest,
  links: {
    self: `/api/skills/${skill.name}`,
    skill_md: `/api/skills/${skill.name}/SKILL.md`,
    files: `/api/skills/${skill.name}/`,
  },
});
