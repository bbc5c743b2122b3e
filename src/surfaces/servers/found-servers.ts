import { fold } from '#catalog/changes/fold.ts';
import type { Item } from '#catalog/items/item.ts';
import { compareNames } from '#catalog/search/index/sort-orders.ts';
import { type ListQuery, normalQuery } from '#catalog/search/query/list-query.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import type { Position } from './cursor.ts';

/** Servers found by a search, most downloaded first, through the catalog's index for any page. */

type FoundPosition = Omit<Extract<Position, { kind: 'found' }>, 'search'>;

/**
 * A page after the position. Words of the search are parts of name, description or author; a slash also separates
 * words.
 */
export function foundServers(
  catalog: Pick<Catalog, 'items'>,
  search: string,
  after: FoundPosition | null,
  limit: number,
): Item[] {
  const query = normalQuery({ search: search.replaceAll('/', ' '), listing_type: 'server', sort: 'downloads' });
  const offset = after === null ? 0 : placeOf(catalog, query, after);
  return catalog.items({ ...query, offset, limit }).items;
}

export const positionOf = ({ downloads, name, provider_id, external_id }: Item): FoundPosition => ({
  kind: 'found',
  downloads,
  name: fold(name),
  provider_id,
  external_id,
});

/** How many results are at or before the position, by bisection in the sorted list. */
function placeOf(catalog: Pick<Catalog, 'items'>, query: ListQuery, after: FoundPosition): number {
  let low = 0;
  let high = catalog.items({ ...query, offset: 0, limit: 1 }).total_count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [item] = catalog.items({ ...query, offset: middle, limit: 1 }).items;
    if (item !== undefined && comparePositions(positionOf(item), after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The catalog's order of downloads: descending, then by folded name, provider and id. */
const comparePositions = (a: FoundPosition, b: FoundPosition): number =>
  b.downloads - a.downloads ||
  compareNames([a.name, a.provider_id, a.external_id], [b.name, b.provider_id, b.external_id]);
