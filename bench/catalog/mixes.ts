import type { Item } from '#catalog/items/item.ts';
import { LISTING_TYPES, PROVIDERS } from '#catalog/items/kinds.ts';
import { defined } from '#core/defined.ts';
import { oneOf, type Random, seeded } from './random.ts';

/** The two query mixes, as paths with their query strings. */

const PATH = '/api/marketplace/registry';
const SORTS = ['downloads', 'downloads', 'stars', 'updated', 'name'];

function pathOf(parameters: Record<string, string | number>): string {
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? PATH : `${PATH}?${query}`;
}

/** What many people ask again and again: the front page most, then types, providers, popular searches. */
export function hotMix(words: readonly string[]): string[] {
  const random = seeded(5);
  const distinct = [
    {},
    ...LISTING_TYPES.map((listing_type) => ({ listing_type })),
    ...PROVIDERS.map((provider) => ({ provider })),
    ...SORTS.slice(2).map((sort) => ({ sort })),
    ...Array.from({ length: 40 }, () => ({ search: term(random, words) })),
  ].map(pathOf);
  return Array.from(
    { length: 4096 },
    () => distinct[Math.floor(distinct.length ** (random(10_000) / 10_000)) - 1] as string,
  );
}

/** `count` different queries: words and parts of words of some listing, filters, tags, sort orders, later pages. */
export function neverRepeatingMix(count: number, items: readonly Item[]): string[] {
  const random = seeded(9);
  const paths = new Set<string>();
  while (paths.size < count) paths.add(pathOf(anyQuery(random, oneOf(random, items))));
  return [...paths];
}

/** What a visitor who looks for this listing may ask; most find more than a page. */
function anyQuery(random: Random, item: Item): Record<string, string | number> {
  const kind = random(20);
  const terms = kind < 10 ? 1 : kind < 15 ? 2 : 0;
  const words = item.description.split(' ');
  return {
    ...defined({
      search: terms > 0 ? Array.from({ length: terms }, () => term(random, words)).join(' ') : undefined,
      provider: terms === 0 || random(4) === 0 ? item.provider_id : undefined,
      listing_type: random(5) === 0 ? item.listing_type : undefined,
      execution_class: random(6) === 0 ? item.execution_class : undefined,
      tag: kind >= 17 && item.tags.length > 0 ? oneOf(random, item.tags) : undefined,
    }),
    sort: oneOf(random, SORTS),
    limit: 50,
    offset: terms === 0 ? random(2_000) : random(5) === 0 ? random(100) : 0,
  };
}

/** What is written without spaces is one word; nobody searches for all of it. */
const LONGEST_WORD = 100;

/** A fifth of the time only the word's beginning. */
function term(random: Random, words: readonly string[]): string {
  const word = [...oneOf(random, words)];
  return word.slice(0, random(5) === 0 ? 3 : LONGEST_WORD).join('');
}
