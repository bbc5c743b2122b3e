import { fold, type Item, words } from '../item.ts';
import type { ListQuery } from './query.ts';
import type { Sort } from './segment.ts';

/** What the catalogue must answer, by going through every listing; tests and the bench compare with it. */
export function oracleFind(items: readonly Item[], query: ListQuery): { total_count: number; items: Item[] } {
  const found = items.filter((item) => matches(item, query)).sort(order(query.sort));
  return { total_count: found.length, items: found.slice(query.offset, query.offset + query.limit) };
}

function matches(item: Item, { provider, listing_type, execution_class, tag, terms }: ListQuery): boolean {
  if (provider !== null && item.provider_id !== provider) return false;
  if (listing_type !== null && item.listing_type !== listing_type) return false;
  if (execution_class !== null && item.execution_class !== execution_class) return false;
  if (tag !== null && !item.tags.some((one) => fold(one) === tag)) return false;
  if (terms.length === 0) return true;
  const all = [item.name, item.description, item.author].flatMap(words);
  return terms.every((term) => all.some((word) => word.includes(term)));
}

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byName = (a: Item, b: Item): number =>
  text(fold(a.name), fold(b.name)) || text(a.provider_id, b.provider_id) || text(a.external_id, b.external_id);

const newestFirst = (a: Item, b: Item): number => {
  if (a.external_updated_at === null || b.external_updated_at === null)
    return Number(a.external_updated_at === null) - Number(b.external_updated_at === null);
  return Date.parse(b.external_updated_at) - Date.parse(a.external_updated_at);
};

const order =
  (sort: Sort) =>
  (a: Item, b: Item): number => {
    if (sort === 'downloads') return b.downloads - a.downloads || byName(a, b);
    if (sort === 'stars') return b.stars - a.stars || byName(a, b);
    if (sort === 'updated') return newestFirst(a, b) || byName(a, b);
    return byName(a, b);
  };
