import { sha256 } from '#core/crypto/sha256.ts';
import type { PublishedSkills } from '#marketplace/publishing/published-skills.ts';
import type { ShelfSkill, SkillStore } from '#runtime/skills/load-skills.ts';

import { sampleSkill } from './sample-skill.ts';

/** Two skills: `alone` is one file, `several` has a script too. */
function skill(name: string, files: Record<string, string>): ShelfSkill {
  const contents = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)] as const));
  return sampleSkill('', {
    name,
    description: `Does ${name} things.`,
    contents,
    frontmatter: { name, description: `Does ${name} things.` },
    files: [...contents].map(([path, bytes]) => ({
      path,
      size: bytes.length,
      sha256: sha256(bytes),
      media_type: path.endsWith('.md') ? 'text/markdown; charset=utf-8' : 'text/plain; charset=utf-8',
    })),
  });
}

const md = (name: string): string => `---\nname: ${name}\ndescription: Does ${name} things.\n---\n\n# ${name}\n`;

const skills = [
  skill('alone', { 'SKILL.md': md('alone') }),
  skill('several', { 'SKILL.md': md('several'), 'scripts/run.sh': 'cat\n' }),
];

export const smallSkillStore: SkillStore = {
  skills,
  get: (name) => skills.find((shelfSkill) => shelfSkill.name === name),
};

/** Where nobody has published a skill. */
export const nothingPublished: PublishedSkills = { list: async () => [], contents: async () => new Map() };
