import { type ListQuery, normalQuery, queryString } from '#catalog/search/query/list-query.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import { type Handler, markdown } from '#core/http/operation.ts';
import { pageLinks } from '#core/http/page-links.ts';
import type { itemsContract } from './contract.ts';
import { type FlaggedListings, NOTHING_FLAGGED } from './flagged.ts';
import { listMd } from './list-md.ts';
import { type ListOwnItems, ownItemsFor } from './own-listings.ts';
import { refuseWhileWarmingUp } from './warming-up.ts';

/** GET /api/marketplace/skills.md */
export const getSkillsMd =
  (deps: {
    catalog: Pick<Catalog, 'isReady' | 'items' | 'version'>;
    /** Base URL of links; null for relative links. */
    public_url: string | null;
    own: ListOwnItems;
    flagged?: FlaggedListings;
  }): Handler<typeof itemsContract.getSkillsMd> =>
  async ({ query: given, raw_path }) => {
    refuseWhileWarmingUp(deps.catalog);
    const query: ListQuery = normalQuery(given);
    // Skills that run here come first, then the providers' listings in the requested order.
    const own = ownItemsFor(await deps.own(), query);
    const shown = own.slice(query.offset, query.offset + query.limit);
    const rest = {
      ...query,
      limit: Math.max(1, query.limit - shown.length),
      offset: Math.max(0, query.offset - own.length),
    };
    const listed = deps.catalog.items(rest);
    const total_count = own.length + listed.total_count;
    const items = [...shown, ...listed.items.slice(0, query.limit - shown.length)];
    const flagged = await (deps.flagged ?? NOTHING_FLAGGED).read();
    const text = listMd({ items, total_count, query, base_url: deps.public_url ?? '', flagged });
    return markdown(text, { headers: pageLinks(raw_path, { ...query, total_count }, queryString(query)) });
  };
