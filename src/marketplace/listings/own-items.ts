import type { ListOwnItems, OwnItem } from '#catalog/items/own-listings.ts';
import { builtInMember } from '#marketplace/documents/built-in-skills.ts';
import type { ShelfSkill } from '#runtime/skills/load-skills.ts';
import { itemOf, type PublishedCache } from './published-cache.ts';

/** Built-in skills by name, then published listings by name. */
export function ownItems({
  skills,
  published_cache,
}: {
  skills: readonly ShelfSkill[];
  published_cache: Pick<PublishedCache, 'listings'>;
}): ListOwnItems {
  const firstParty = skills.map(itemOfSkill);
  return async () => [...firstParty, ...(await published_cache.listings()).map(itemOf)];
}

function itemOfSkill(skill: ShelfSkill): OwnItem {
  const { id, name, description, version, author, homepage, external_updated_at } = builtInMember(skill);
  return {
    name,
    description,
    version,
    author,
    homepage,
    downloads: 0,
    stars: 0,
    tags: [],
    source: 'capstan',
    listing_type: 'skill',
    external_id: id,
    provider_id: 'capstan',
    external_updated_at,
    execution_class: skill.execution_class,
  };
}
