import type { Skill } from '../../skills/skill.ts';
import type { PackedSkills } from './packed-skills.ts';

/** The index of skills that agents read, in the form of Agent Skills discovery 0.2.0. */

export const SKILLS_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
export const SKILLS_ROOT = '/.well-known/agent-skills';

export const skillsIndex = (packed: PackedSkills, skills: readonly Skill[]) => ({
  $schema: SKILLS_SCHEMA,
  skills: skills.map((skill) => {
    const { name, description } = skill;
    const [only] = skill.files;
    // Read against the index's own address, wherever it was found.
    const place = `${SKILLS_ROOT}/${name}`;
    return skill.files.length === 1 && only !== undefined
      ? { name, type: 'skill-md' as const, description, url: `${place}/SKILL.md`, digest: `sha256:${only.sha256}` }
      : {
          ...{ name, type: 'archive' as const, description, url: `${place}/skill.tar.gz` },
          digest: `sha256:${packed.archive(skill).sha256}`,
        };
  }),
});
