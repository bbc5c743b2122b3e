import { type FlaggedListings, NOTHING_FLAGGED } from '#catalog/items/flagged.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { PublishedSkill, PublishedSkills } from '#marketplace/publishing/published-skills.ts';
import { findSkill } from '#runtime/skills/find-skill.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import { mediaTypeOf, type Skill } from '#runtime/skills/skill.ts';
import { archiveOf } from './archive.ts';

/** Skills for clients that install them: first-party and published ones. One file as is, several as an archive. */

export interface PackedSkill {
  /** The name in indexes and URLs. */
  name: string;
  description: string;
  files: readonly { path: string; sha256: string; media_type: string }[];
  /** By path. */
  contents(): Promise<ReadonlyMap<string, Uint8Array>>;
  archive(): Promise<Archive>;
}

interface Archive {
  bytes: Uint8Array;
  /** Of the bytes, lower-case hex. */
  sha256: string;
}

export interface PackedSkills {
  /**
   * First-party skills, then the published ones that changed last. Without flagged skills, because indexes cannot mark
   * them.
   */
  list(): Promise<readonly PackedSkill[]>;
  /** Also finds a flagged skill, because it is requested by name. Throws `skills.not_found` (`skill`). */
  find(name: string): Promise<PackedSkill>;
  /** Lower-case hex SHA-256 of the archive, which is not cached. */
  archiveDigest(skill: PackedSkill): Promise<string>;
}

/** Clients read the whole index. Every published skill can be fetched by name and searched. */
const MOST_PUBLISHED = 500;

export function packedSkills(
  skill_store: SkillStore,
  published: PublishedSkills,
  flagged: FlaggedListings = NOTHING_FLAGGED,
): PackedSkills {
  // An archive depends only on its files, and published versions never change.
  const digests = new Map<string, string>();
  const own = new Map(skill_store.skills.map((skill) => [skill.name, packedOwn(skill)]));
  const packed = (skill: PublishedSkill): PackedSkill => packedPublished(skill, () => published.contents(skill));
  return {
    list: async () => {
      const { has } = await flagged.read();
      const fit = (await published.list()).filter(({ listing }) => !has(OWN_SOURCE, listing.id));
      return [...own.values(), ...fit.slice(0, MOST_PUBLISHED).map(packed)];
    },
    find: async (name) => {
      const known = own.get(name);
      if (known !== undefined) return known;
      const found = (await published.list()).find(({ index_name }) => index_name === name);
      return found === undefined ? packedOwn(findSkill(skill_store, name)) : packed(found);
    },
    archiveDigest: async (skill) => {
      const key = skill.files.map((file) => `${file.path}\0${file.sha256}`).join('\n');
      const known = digests.get(key);
      if (known !== undefined) return known;
      const digest = (await skill.archive()).sha256;
      if (digests.size >= MOST_DIGESTS) digests.clear();
      digests.set(key, digest);
      return digest;
    },
  };
}

const MOST_DIGESTS = 5_000;

const packedOwn = ({ name, description, files, contents }: Skill): PackedSkill => ({
  name,
  description,
  files,
  contents: async () => contents,
  archive: async () => archived(contents),
});

const packedPublished = (
  { index_name, listing, files }: PublishedSkill,
  contents: () => Promise<ReadonlyMap<string, Uint8Array>>,
): PackedSkill => ({
  name: index_name,
  description: listing.description,
  files: files.map(({ path, sha256 }) => ({ path, sha256, media_type: mediaTypeOf(path) })),
  contents,
  archive: async () => archived(await contents()),
});

function archived(contents: ReadonlyMap<string, Uint8Array>): Archive {
  const bytes = archiveOf({ contents });
  return { bytes, sha256: sha256(bytes) };
}
