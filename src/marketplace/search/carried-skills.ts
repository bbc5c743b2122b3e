import type { Member } from '#catalog/identity/capabilities.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { ShelfSkill } from '#runtime/skills/load-skills.ts';

/** Skills that the service itself carries, as capabilities: of no row and no publisher, known by their name everywhere. Pure. */

export type CarriedSkill = Pick<
  ShelfSkill,
  'name' | 'description' | 'version' | 'license' | 'execution_class' | 'changed_at'
>;

/** What receipts and scores name too. */
export const carriedId = (name: string): string => `skill/${name}`;

/** Null for an id of another kind. */
export const carriedName = (id: string): string | null => (id.startsWith('skill/') ? id.slice('skill/'.length) : null);

const COUNTED = JSON.stringify({ downloads: false, stars: false, updated_at: true });

export function carriedMember({
  name,
  description,
  version,
  license,
  execution_class,
  changed_at,
}: CarriedSkill): Member {
  const id = carriedId(name);
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
    first_seen_at: changed_at,
    changed_at,
  };
}

/** As a thread can be given it. */
export const carriedOf = (skills: readonly ShelfSkill[]): CarriedSkill[] =>
  skills.map(({ name, description, version, license, execution_class, changed_at }) => ({
    name,
    description,
    version,
    license,
    execution_class,
    changed_at,
  }));
