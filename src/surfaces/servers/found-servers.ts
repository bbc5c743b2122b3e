import type { Item } from '#catalog/items/item.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { type ListingRequest, rankListings, type SearchedViews } from '#catalog/search/query/ranked-listings.ts';
import type { Position } from './cursor.ts';

/** Servers found by a search, the best match first. */

type FoundPosition = Omit<Extract<Position, { kind: 'found' }>, 'search'>;

interface FoundServer {
  item: Item;
  /** Of a page that ends with it. */
  position: FoundPosition;
}

/** Those after the position; null: the first ones. */
export function foundServers(
  views: SearchedViews,
  search: string,
  after: FoundPosition | null,
  limit: number,
): FoundServer[] {
  const start = after === null ? 0 : placeAfter(views, search, after);
  return rankedServers(views, search, start, limit).map((item, at) => ({
    item,
    position: positionOf(item, start + at),
  }));
}

const positionOf = ({ provider_id, external_id }: Item, at: number): FoundPosition => ({
  kind: 'found',
  number: at + 1,
  provider_id,
  external_id,
});

const rankedServers = (views: SearchedViews, text: string, offset: number, limit: number): Item[] =>
  rankListings(views, { ...serverSearch(text), offset, limit }).hits.map(({ item }) => item as Item);

/** The search of servers with this text. */
export const serverSearch = (text: string): Omit<ListingRequest, 'limit' | 'offset'> => ({
  text: text.toWellFormed(),
  sources: PROVIDERS,
  with_built_in: false,
  listing_type: 'server',
  execution_class: null,
  tag: null,
});

/** How far the results have moved at most before a page continues by number alone. */
const MOST_MOVED = 50;

/** How many results are at or before the last one of the previous page, which may have moved since. */
function placeAfter(views: SearchedViews, search: string, { number, provider_id, external_id }: FoundPosition): number {
  const from = Math.max(0, number - 1 - MOST_MOVED);
  const near = rankedServers(views, search, from, 2 * MOST_MOVED + 1);
  const at = near.findIndex((item) => item.provider_id === provider_id && item.external_id === external_id);
  // Another one has the place of an entry that is gone.
  return at === -1 ? number - 1 : from + at + 1;
}
