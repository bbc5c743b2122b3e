import type { Member } from '#catalog/identity/capabilities.ts';
import { fileNames } from '#catalog/identity/contents.ts';
import { builtInId, OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { ShelfSkill } from '#runtime/skills/load-skills.ts';

/** Skills that the service itself ships, as members of capabilities. They have no row and no publisher; their name identifies them. */

export interface BuiltInSkill
  extends Pick<ShelfSkill, 'name' | 'description' | 'version' | 'license' | 'execution_class' | 'changed_at'> {
  /** Names of its files and its instructions, to be searched. */
  texts: readonly string[];
}

const COUNTED = JSON.stringify({ downloads: false, stars: false, updated_at: true });

export function builtInMember({
  name,
  description,
  version,
  license,
  execution_class,
  changed_at,
}: Omit<BuiltInSkill, 'texts'>): Member {
  const id = builtInId(name);
  return {
    id,
    stands_id: id,
    published: null,
    provider_id: OWN_SOURCE,
    external_id: id,
    name,
    description,
    version,
    author: OWN_SOURCE,
    homepage: '',
    downloads: 0,
    stars: 0,
    tags: '[]',
    listing_type: 'skill',
    execution_class,
    external_updated_at: changed_at,
    license,
    repository: '',
    install: null,
    reported: COUNTED,
    verdicts: null,
    tools: null,
    probe_reason: null,
    first_seen_at: changed_at,
    changed_at,
  };
}

/** Of its instructions; further ones are not searched. */
const MOST_CHARS = 12_000;

/** What a thread can receive: plain data without files. */
export const builtInSkillsOf = (skills: readonly ShelfSkill[]): BuiltInSkill[] =>
  skills.map(({ name, description, version, license, execution_class, changed_at, files, body }) => ({
    name,
    description,
    version,
    license,
    execution_class,
    changed_at,
    texts: [fileNames(files), body.slice(0, MOST_CHARS)],
  }));
