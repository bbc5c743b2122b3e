import { type Handler, json } from '../../platform/http/operation.ts';
import type { Catalog } from '../registry/catalog/catalog.ts';
import { fold, words } from '../registry/fold.ts';
import { refuseWhileWarmingUp } from '../registry/warming-up.ts';
import type { SkillShelf } from '../skills/load-skills.ts';
import { skillsWith } from '../skills/skills-with.ts';
import type { interopContract } from './contract.ts';
import { oneLine } from './shown-text.ts';

/** GET /api/search: skills as `npx skills find` asks for them. */

interface Deps {
  shelf: Pick<SkillShelf, 'skills'>;
  catalog: Pick<Catalog, 'search' | 'items' | 'isReady'>;
  base_url: string;
}

/** Looked through where an owner is asked for. */
const MOST_SEARCHED = 200;

export const searchSkills = (deps: Deps): Handler<typeof interopContract.searchSkills> => {
  const find = skillsWith(deps.shelf);
  return ({ query: { q = '', owner = '', limit } }) => {
    refuseWhileWarmingUp(deps.catalog);
    const own = owner === '' ? find(words(q)).map((it) => ownSkill(deps, it)) : [];
    const found = listedSkills(deps, q, owner === '' ? limit : MOST_SEARCHED);
    const wanted = owner === '' ? found : found.filter(({ source }) => fold(source).startsWith(`${fold(owner)}/`));
    return json({ skills: [...own, ...wanted].slice(0, limit) });
  };
};

const ownSkill = ({ base_url }: Deps, { name }: { name: string }) => ({
  ...{ id: `skills/${name}`, name, source: base_url, installs: 0 },
});

/**
 * Those of skills.sh alone: the client installs `source` from GitHub, where the same `owner/name` of another provider is
 * somebody else's.
 */
function listedSkills({ catalog }: Deps, q: string, limit: number) {
  const text = q.trim();
  const asked = { provider: 'skills-sh', listing_type: 'skill', execution_class: null, limit, offset: 0 } as const;
  const items =
    text === ''
      ? catalog.items({ ...asked, tag: null, terms: [], sort: 'downloads' }).items
      : catalog.search({ ...asked, text }).hits.map(({ item }) => item);
  return items.map(({ external_id, name, downloads }) => ({
    id: oneLine(external_id),
    name: oneLine(name),
    source: oneLine(external_id.split('/').slice(0, 2).join('/')),
    installs: downloads,
  }));
}
