import { fold, words } from '#catalog/changes/fold.ts';
import { type Flagged, type FlaggedListings, NOTHING_FLAGGED } from '#catalog/items/flagged.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { refuseWhileWarmingUp } from '#catalog/items/warming-up.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { PublishedSkill, PublishedSkills } from '#marketplace/publishing/published-skills.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import { skillsWith } from '#runtime/skills/skills-with.ts';
import { oneLine } from '#surfaces/interop/shown-text.ts';
import type { agentSkillsContract } from './contract.ts';

/** GET /api/search: skills for `npx skills find`. The response cannot mark flags, so flagged skills are left out. */

interface Deps {
  skill_store: Pick<SkillStore, 'skills'>;
  published: Pick<PublishedSkills, 'list'>;
  catalog: Pick<Catalog, 'search' | 'items' | 'isReady'>;
  base_url: string;
  flagged?: FlaggedListings;
}

/** Number of listings that are searched for an owner. */
const MOST_SEARCHED = 200;
/** Up to this many flagged listings do not shorten a page. */
const MOST_LEFT_OUT = 20;
/** One of this many places is for published skills, so that a prolific publisher does not hide the others. */
const EVERY = 4;

export function searchSkills(deps: Deps): Handler<typeof agentSkillsContract.search> {
  const find = skillsWith(deps.skill_store);
  return async ({ query: { q = '', owner = '', limit } }) => {
    refuseWhileWarmingUp(deps.catalog);
    const terms = words(q);
    const own = owner === '' ? find(terms).map(({ name }) => hereSkill(deps, name)) : [];
    const flagged = await (deps.flagged ?? NOTHING_FLAGGED).read();
    const shown = (await deps.published.list()).filter(({ listing }) => !flagged.has(OWN_SOURCE, listing.id));
    const published = matching(shown, terms, owner).map((name) => hereSkill(deps, name));
    const found = listedSkills(deps, q, owner === '' ? limit + MOST_LEFT_OUT : MOST_SEARCHED, flagged);
    const wanted = owner === '' ? found : found.filter(({ source }) => fold(source).startsWith(`${fold(owner)}/`));
    return json({ skills: interleaved([...own, ...wanted], published, limit) });
  };
}

/** `npx skills add <source> --skill <name>` finds it in the index of this service. */
const hereSkill = ({ base_url }: Deps, name: string) => ({
  id: `skills/${name}`,
  name,
  source: base_url,
  installs: 0,
});

/** Names of skills with all terms; those with the terms in their name come first. */
function matching(skills: readonly PublishedSkill[], terms: readonly string[], owner: string): string[] {
  const folded = fold(owner);
  const found = skills
    .filter(({ listing }) => owner === '' || fold(listing.author) === folded)
    .map(({ index_name, listing }) => {
      const text = fold(`${listing.name}\n${index_name}\n${listing.description}`);
      const named = terms.filter((term) => index_name.includes(term)).length;
      return { index_name, named, fits: terms.every((term) => text.includes(term)) };
    })
    .filter(({ fits }) => fits);
  return found.toSorted((a, b) => b.named - a.named).map(({ index_name }) => index_name);
}

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

/**
 * Only skills of skills.sh: the client installs `source` from GitHub, where the same `owner/name` of another provider
 * may belong to someone else.
 */
function listedSkills({ catalog }: Deps, q: string, limit: number, flagged: Flagged) {
  const text = q.trim();
  const asked = { provider: 'skills-sh', listing_type: 'skill', execution_class: null, limit, offset: 0 } as const;
  const items =
    text === ''
      ? catalog.items({ ...asked, tag: null, terms: [], sort: 'downloads' }).items
      : catalog.search({ ...asked, text }).hits.map(({ item }) => item);
  const fit = items.filter(({ provider_id, external_id }) => !flagged.has(provider_id, external_id));
  return fit.map(({ external_id, name, downloads }) => ({
    id: oneLine(external_id),
    name: oneLine(name),
    source: oneLine(external_id.split('/').slice(0, 2).join('/')),
    installs: downloads,
  }));
}
