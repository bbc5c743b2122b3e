import { parts } from '#catalog/changes/fold.ts';
import type { Item } from '#catalog/items/item.ts';
import type { ListingType } from '#catalog/items/kinds.ts';
import { buildSegment } from '#catalog/search/index/segment-builder.ts';
import { findPage } from '#catalog/search/query/list.ts';
import { normalQuery } from '#catalog/search/query/list-query.ts';
import { itemsOf, listViewOf } from '#catalog/search/query/list-view.ts';
import type { Ranked } from './quality.ts';

/** What the ranker is compared with. */

const keyOf = ({ provider_id, external_id }: Item): string[] => [`${provider_id}/${external_id}`];

/** The registry's list, as `?search=` answers it: all terms as substrings, by downloads. */
export function registryList(items: readonly Item[]): Ranked {
  const view = listViewOf({ base: buildSegment(items), deleted: null, delta: null, version: '' }, null);
  return ({ query, listing_type }) => {
    const asked = normalQuery({ search: query, listing_type: listing_type as ListingType, limit: 10 });
    return itemsOf(view, findPage(view, asked).hits).map(keyOf);
  };
}

const [K1, B] = [1.2, 0.75];

/** BM25 over one field of all texts, any of the terms; nothing else. Ties by downloads. */
export function plainBm25(items: readonly Item[]): Ranked {
  const texts = items.map((item) =>
    termsOf([item.name, item.description, item.author, item.external_id, ...item.tags].join(' ')),
  );
  const usual = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  const postings = new Map<string, { row: number; count: number }[]>();
  texts.forEach((terms, row) => {
    for (const [term, of] of Map.groupBy(terms, (term) => term)) {
      const list = postings.get(term) ?? [];
      if (list.length === 0) postings.set(term, list);
      list.push({ row, count: of.length });
    }
  });
  return ({ query, listing_type }) => {
    const scores = new Map<number, number>();
    for (const term of new Set(termsOf(query))) {
      const list = postings.get(term) ?? [];
      const rarity = Math.log(1 + (items.length - list.length + 0.5) / (list.length + 0.5));
      for (const { row, count } of list) {
        if (listing_type !== undefined && items[row]?.listing_type !== listing_type) continue;
        const length = 1 - B + (B * (texts[row]?.length ?? 0)) / usual;
        scores.set(row, (scores.get(row) ?? 0) + (rarity * count * (K1 + 1)) / (count + K1 * length));
      }
    }
    return [...scores]
      .sort((a, b) => b[1] - a[1] || (items[b[0]] as Item).downloads - (items[a[0]] as Item).downloads)
      .slice(0, 10)
      .map(([row]) => keyOf(items[row] as Item));
  };
}

/** Folded runs of letters and digits, with those that come again. */
const termsOf = (text: string): string[] => text.split(/\s+/).flatMap((word) => parts(word));
