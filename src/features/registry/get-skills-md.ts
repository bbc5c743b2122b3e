import { type Handler, markdown } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import type { Catalog } from './catalog/catalog.ts';
import { type ListQuery, normalQuery, queryString } from './catalog/query.ts';
import type { registryContract } from './contract.ts';
import { listMd } from './list-md.ts';
import { refuseWhileWarmingUp } from './warming-up.ts';

/** GET /api/marketplace/skills.md */
export const getSkillsMd =
  (deps: {
    catalog: Pick<Catalog, 'isReady' | 'items' | 'version'>;
    /** Where others reach the service; null leaves the links relative. */
    public_url: string | null;
  }): Handler<typeof registryContract.getSkillsMd> =>
  ({ query: given, raw_path }) => {
    refuseWhileWarmingUp(deps.catalog);
    const query: ListQuery = normalQuery(given);
    const { items, total_count } = deps.catalog.items(query);
    const text = listMd({ items, total_count, query, base_url: deps.public_url ?? '' });
    return markdown(text, { headers: pageLinks(raw_path, { ...query, total_count }, queryString(query)) });
  };
