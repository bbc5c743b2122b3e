import { fold } from '#catalog/changes/fold.ts';
import { type Flagged, type FlaggedListings, NOTHING_FLAGGED } from '#catalog/items/flagged.ts';
import { builtInName, OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { refuseWhileWarmingUp } from '#catalog/items/warming-up.ts';
import type { ListingSearch } from '#catalog/search/listing-search.ts';
import type { ListingHit } from '#catalog/search/query/ranked-listings.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { PublishedSkill, PublishedSkills } from '#marketplace/publishing/published-skills.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import { oneLine } from '#surfaces/interop/shown-text.ts';
import type { agentSkillsContract } from './contract.ts';

/** GET /api/search: skills for `npx skills find`. The response cannot mark flags, so flagged skills are left out. */

interface Deps {
  skill_store: Pick<SkillStore, 'skills'>;
  published: Pick<PublishedSkills, 'list'>;
  catalog: Pick<Catalog, 'items' | 'isReady'>;
  search: Pick<ListingSearch, 'listings'>;
  base_url: string;
  flagged?: FlaggedListings;
}

/** Number of listings that are searched for an owner. */
const MOST_SEARCHED = 200;
/** Up to this many flagged listings do not shorten a page. */
const MOST_LEFT_OUT = 20;
/** Without a search, one of this many places is for published skills, so that a prolific publisher does not hide the others. */
const EVERY = 4;

export function searchSkills(deps: Deps): Handler<typeof agentSkillsContract.search> {
  return async ({ query: { q = '', owner = '', limit } }) => {
    refuseWhileWarmingUp(deps.catalog);
    const flagged = await (deps.flagged ?? NOTHING_FLAGGED).read();
    const published = (await deps.published.list()).filter(({ listing }) => !flagged.has(OWN_SOURCE, listing.id));
    const most = owner === '' ? limit + MOST_LEFT_OUT : MOST_SEARCHED;
    const asked = { owner, flagged, published, most };
    const text = q.trim();
    const skills = text === '' ? popular(deps, asked, limit) : await ranked(deps, asked, text);
    return json({ skills: skills.slice(0, limit) });
  };
}

interface Asked {
  owner: string;
  flagged: Flagged;
  published: readonly PublishedSkill[];
  most: number;
}

interface FoundSkill {
  id: string;
  name: string;
  source: string;
  installs: number;
}

/**
 * The best match first. Of providers only skills.sh: the client installs `source` from GitHub, where the same `owner/name` of another
 * provider may belong to someone else.
 */
async function ranked(deps: Deps, { owner, flagged, published, most }: Asked, text: string): Promise<FoundSkill[]> {
  const byId = new Map(published.map((skill) => [skill.listing.id, skill]));
  const { hits } = await deps.search.listings({
    text: text.toWellFormed(),
    sources: [OWN_SOURCE, 'skills-sh'],
    with_built_in: owner === '',
    listing_type: 'skill',
    execution_class: null,
    tag: null,
    limit: most,
    offset: 0,
  });
  return hits.flatMap(({ item }): FoundSkill[] => {
    if (item.provider_id !== OWN_SOURCE) return listedSkill(item, owner, flagged);
    const builtIn = builtInName(item.external_id);
    if (builtIn !== null) return [hereSkill(deps, builtIn)];
    const skill = byId.get(item.external_id);
    return skill === undefined || !isOf(skill, owner) ? [] : [hereSkill(deps, skill.index_name)];
  });
}

/** Skills that run here, with published ones between the most downloaded others. */
function popular(deps: Deps, { owner, flagged, published, most }: Asked, limit: number): FoundSkill[] {
  const own = owner === '' ? deps.skill_store.skills.map(({ name }) => hereSkill(deps, name)) : [];
  const fields = { provider: 'skills-sh', listing_type: 'skill', execution_class: null, tag: null };
  const { items } = deps.catalog.items({ ...fields, terms: [], sort: 'downloads', limit: most, offset: 0 });
  const listed = items.flatMap((item) => listedSkill(item, owner, flagged));
  const ours = published.filter((skill) => isOf(skill, owner)).map(({ index_name }) => hereSkill(deps, index_name));
  return interleaved([...own, ...listed], ours, limit);
}

const isOf = ({ listing }: PublishedSkill, owner: string): boolean =>
  owner === '' || fold(listing.author) === fold(owner);

/** `npx skills add <source> --skill <name>` finds it in the index of this service. */
const hereSkill = ({ base_url }: Deps, name: string): FoundSkill => ({
  id: `skills/${name}`,
  name,
  source: base_url,
  installs: 0,
});

/** Items of `first`, with one of `second` at every fourth place; the rest fills free places. */
function interleaved<T>(first: readonly T[], second: readonly T[], limit: number): T[] {
  const all: T[] = [];
  let taken = 0;
  for (let place = 0; all.length < limit && all.length < first.length + second.length; place++) {
    const isDue = place % EVERY === EVERY - 1 || all.length - taken >= first.length;
    const next = isDue && taken < second.length ? second[taken++] : first[all.length - taken];
    if (next !== undefined) all.push(next);
  }
  return all;
}

function listedSkill(
  { provider_id, external_id, name, downloads }: ListingHit['item'],
  owner: string,
  flagged: Flagged,
) {
  const source = external_id.split('/').slice(0, 2).join('/');
  if (flagged.has(provider_id, external_id)) return [];
  if (owner !== '' && !fold(source).startsWith(`${fold(owner)}/`)) return [];
  return [{ id: oneLine(external_id), name: oneLine(name), source: oneLine(source), installs: downloads }];
}
