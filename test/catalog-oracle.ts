import { fold, words } from '#catalog/changes/fold.ts';
import type { Item } from '#catalog/items/item.ts';
import type { Sort } from '#catalog/search/index/segment.ts';
import type { ListQuery } from '#catalog/search/query/list-query.ts';

/** What the catalog must answer, by going through every listing; tests and measurements compare with it. */
export function oracle(items: readonly Item[]): (query: ListQuery) => { total_count: number; items: Item[] } {
  const all = items.map(folded);
  return (query) => {
    const found = all.filter((entry) => matches(entry, query)).sort(order(query.sort));
    return {
      total_count: found.length,
      items: found.slice(query.offset, query.offset + query.limit).map(({ item }) => item),
    };
  };
}

interface Folded {
  item: Item;
  name: string;
  words: string[];
  tags: string[];
  updated: number;
}

const folded = (item: Item): Folded => ({
  item,
  name: fold(item.name),
  words: [item.name, item.description, item.author].flatMap(words),
  tags: item.tags.map(fold),
  updated: item.external_updated_at === null ? -1e18 : Date.parse(item.external_updated_at),
});

function matches(entry: Folded, { provider, listing_type, execution_class, tag, terms }: ListQuery): boolean {
  if (provider !== null && entry.item.provider_id !== provider) return false;
  if (listing_type !== null && entry.item.listing_type !== listing_type) return false;
  if (execution_class !== null && entry.item.execution_class !== execution_class) return false;
  if (tag !== null && !entry.tags.includes(tag)) return false;
  return terms.every((term) => entry.words.some((word) => word.includes(term)));
}

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byName = (a: Folded, b: Folded): number =>
  text(a.name, b.name) || text(a.item.provider_id, b.item.provider_id) || text(a.item.external_id, b.item.external_id);

const order =
  (sort: Sort) =>
  (a: Folded, b: Folded): number => {
    if (sort === 'downloads') return b.item.downloads - a.item.downloads || byName(a, b);
    if (sort === 'stars') return b.item.stars - a.item.stars || byName(a, b);
    if (sort === 'updated') return b.updated - a.updated || byName(a, b);
    return byName(a, b);
  };
