import type { PackedSkill, PackedSkills } from './packed-skills.ts';

/** The index of skills in the format of Agent Skills discovery 0.2.0. */

export const SKILLS_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
export const SKILLS_ROOT = '/.well-known/agent-skills';

export async function skillsIndex(packed: Pick<PackedSkills, 'archiveDigest'>, skills: readonly PackedSkill[]) {
  const entries = [];
  for (const skill of skills) entries.push(await entryOf(packed, skill));
  return { $schema: SKILLS_SCHEMA, skills: entries };
}

async function entryOf(packed: Pick<PackedSkills, 'archiveDigest'>, skill: PackedSkill) {
  const { name, description } = skill;
  const [only] = skill.files;
  // Relative to the URL of the index.
  const place = `${SKILLS_ROOT}/${name}`;
  if (skill.files.length === 1 && only?.path === 'SKILL.md')
    return {
      name,
      type: 'skill-md' as const,
      description,
      url: `${place}/SKILL.md`,
      digest: `sha256:${only.sha256}`,
    };
  return {
    name,
    type: 'archive' as const,
    description,
    url: `${place}/skill.tar.gz`,
    digest: `sha256:${await packed.archiveDigest(skill)}`,
  };
}
