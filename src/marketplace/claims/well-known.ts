import type { Item } from '#catalog/items/item.ts';
import { refuseWhileWarmingUp } from '#catalog/items/warming-up.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import { isNear, skeletonOf } from '#catalog/search/text/confusable.ts';
import type { Conflict } from '#marketplace/listings/refusals.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';

/** Well-known names: the most used ones of the registry and built-in skills. New names must not be confusable with them. */
export interface WellKnown {
  /** A listing that this name equals or is confusable with. Throws `http.unavailable` (`index`) until the index is ready. */
  listingLike(name: string): Conflict | null;
  /** The same for authors. */
  authorLike(publisher: string): Conflict | null;
}

interface Known extends Conflict {
  look: string;
}

const MOST = 500;
const LEAST = { downloads: 10_000, stars: 1_000 } as const;

export function wellKnown({ catalog, skills }: { catalog: Catalog; skills: SkillStore }): WellKnown {
  const own = skills.skills.map(({ name }) => ({ name, look: skeletonOf(name), source: 'skills', ref: name }));
  let known: { version: string; names: Known[]; authors: Known[] } | null = null;
  const read = () => {
    refuseWhileWarmingUp(catalog);
    if (known?.version === catalog.version) return known;
    const items = (['downloads', 'stars'] as const).flatMap((sort) => mostOf(catalog, sort));
    known = { version: catalog.version, names: [...own, ...items.flatMap(namesOf)], authors: items.map(authorOf) };
    return known;
  };
  return {
    listingLike: (name) => find(read().names, name),
    authorLike: (publisher) => find(read().authors, publisher),
  };
}

const EVERYTHING = { provider: null, listing_type: null, execution_class: null, tag: null, terms: [], offset: 0 };

const mostOf = (catalog: Catalog, sort: 'downloads' | 'stars'): Item[] =>
  catalog.items({ ...EVERYTHING, sort, limit: MOST }).items.filter((item) => item[sort] >= LEAST[sort]);

/** Its name and its id, both without an owner prefix. */
const namesOf = ({ name, external_id, source }: Item): Known[] =>
  [name, external_id].map((known) => ({ name, look: skeletonOf(lastPart(known)), source, ref: external_id }));

const authorOf = ({ author, source, external_id }: Item): Known => ({
  name: author,
  look: skeletonOf(author),
  source,
  ref: external_id,
});

const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1) || name;

function find(known: readonly Known[], name: string): Conflict | null {
  const look = skeletonOf(name);
  const found = look === '' ? undefined : known.find((entry) => entry.look !== '' && isNear(look, entry.look));
  return found === undefined ? null : { name: found.name, source: found.source, ref: found.ref };
}
