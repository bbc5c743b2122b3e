import type { SkillShelf } from '../../skills/load-skills.ts';
import { type Skill, sha256 } from '../../skills/skill.ts';
import { archiveOf } from './archive.ts';

/** Skills as clients fetch them: one file as it is, several as an archive. Made when first asked for, then kept. */

export interface PackedSkill {
  bytes: Uint8Array;
  /** Of the bytes, lower-case hex. */
  sha256: string;
}

export interface PackedSkills {
  shelf: SkillShelf;
  archive(skill: Skill): PackedSkill;
}

export function packedSkills(shelf: SkillShelf): PackedSkills {
  const kept = new Map<string, PackedSkill>();
  return {
    shelf,
    archive(skill) {
      let packed = kept.get(skill.name);
      if (packed === undefined) {
        const bytes = archiveOf(skill);
        packed = { bytes, sha256: sha256(bytes) };
        kept.set(skill.name, packed);
      }
      return packed;
    },
  };
}
