import type { ListingSearch } from '#catalog/search/listing-search.ts';
import { type ListQuery, normalQuery, queryString } from '#catalog/search/query/list-query.ts';
import { rankedQuery } from '#catalog/search/query/ranked-query.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import { type Handler, markdown } from '#core/http/operation.ts';
import { pageLinks } from '#core/http/page-links.ts';
import type { itemsContract } from './contract.ts';
import { type FlaggedListings, NOTHING_FLAGGED } from './flagged.ts';
import type { Item } from './item.ts';
import { listMd } from './list-md.ts';
import { type ListOwnItems, type OwnItem, ownItemsFor } from './own-listings.ts';
import { refuseWhileWarmingUp } from './warming-up.ts';

interface SkillsMdDeps {
  catalog: Pick<Catalog, 'isReady' | 'items' | 'version'>;
  search: Pick<ListingSearch, 'listings'>;
  /** Base URL of links; null for relative links. */
  public_url: string | null;
  own: ListOwnItems;
  flagged?: FlaggedListings;
}

/** GET /api/marketplace/skills.md */
export const getSkillsMd =
  (deps: SkillsMdDeps): Handler<typeof itemsContract.getSkillsMd> =>
  async ({ query: given, raw_path }) => {
    refuseWhileWarmingUp(deps.catalog);
    const ranked = rankedQuery(given, { with_own: true });
    const query = ranked?.shown ?? normalQuery(given);
    const { items, total_count } =
      ranked === null ? await ownFirst(deps, normalQuery(given)) : await byRelevance(deps, ranked);
    const flagged = await (deps.flagged ?? NOTHING_FLAGGED).read();
    const text = listMd({ items, total_count, query, base_url: deps.public_url ?? '', flagged });
    return markdown(text, { headers: pageLinks(raw_path, { ...query, total_count }, queryString(query)) });
  };

interface Page {
  items: (Item | OwnItem)[];
  total_count: number;
}

/** Skills that run here come first, then the providers' listings in the requested order. */
async function ownFirst({ catalog, own: listOwn }: SkillsMdDeps, query: ListQuery): Promise<Page> {
  const own = ownItemsFor(await listOwn(), query);
  const shown = own.slice(query.offset, query.offset + query.limit);
  const rest = {
    ...query,
    limit: Math.max(1, query.limit - shown.length),
    offset: Math.max(0, query.offset - own.length),
  };
  const listed = catalog.items(rest);
  const items = [...shown, ...listed.items.slice(0, query.limit - shown.length)];
  return { items, total_count: own.length + listed.total_count };
}

async function byRelevance(
  { search }: SkillsMdDeps,
  { request }: NonNullable<ReturnType<typeof rankedQuery>>,
): Promise<Page> {
  const { hits, total_count } = await search.listings(request);
  return { items: hits.map(({ item }) => item), total_count };
}
