import { parts as partsOf, words } from '#catalog/changes/fold.ts';
import type { Item } from '#catalog/items/item.ts';
import { membersBetween } from '../index/bitset.ts';
import { readHint, readItem } from '../index/key-table.ts';
import { type Ids, idsIn } from './ids-asked.ts';
import type { ListQuery } from './list-query.ts';
import { countTerm, hasTerm, MOST_PARTIAL_TERMS, partialTiersOf } from './partial-tiers.ts';
import type { Reader } from './reader.ts';
import { readerAt, type View } from './registry-view.ts';
import type { Tiers } from './tier-sieve.ts';
import { tiersOf, type Wanted } from './tiers.ts';

/** Search by relevance, over one state of the catalogue. Lists are by downloads; here the best match comes first. */

export interface Search extends Pick<ListQuery, 'provider' | 'listing_type' | 'execution_class' | 'limit' | 'offset'> {
  /** As it was asked. */
  text: string;
}

export interface SearchFound {
  /** Folded, each once: what is looked for. */
  terms: string[];
  /** False: no listing has all of them, and these are the ones with most. */
  is_whole: boolean;
  /** Terms that no listing has; only looked for where not whole. */
  unmatched: string[];
  /** How many listings have all of the terms, or any of them where not whole. */
  total_count: number;
  hits: Hit[];
}

export interface Hit {
  item: Item;
  /** How it is had, as the index holds it (install-hint.ts). */
  hint: string;
}

/** Say nothing of what is looked for; left out where they are in the way. */
const FILLERS = new Set(
  (
    'a an and are can could do does for from have how i in is it me my need of on or please some that the to use using via ' +
    'want what where which with you'
  ).split(' '),
);

export function search(view: View, asked: Search): SearchFound {
  const text = asked.text.toWellFormed();
  const whole = askedFor(asked, [...new Set(words(text))]);
  // What looks like an id is one first; a plain word only where it is nothing else.
  const found = withAll(view, whole, /[/@]/.test(text) ? idsIn(view, asked, text) : null);
  if (found.total_count > 0) return found;
  const named = withAll(view, whole, idsIn(view, asked, text));
  if (named.total_count > 0) return named;
  const telling = askedFor(asked, tellingTerms(view, text));
  if (telling.terms.length === 0) return found;
  const again = withAll(view, telling, null);
  return again.total_count > 0 ? again : withSome(view, telling);
}

/** What is left without fillers, punctuation and what very many listings have; at most so many as can be counted. */
function tellingTerms(view: View, text: string): string[] {
  const all = partsOf(text);
  const words = all.filter((part) => !FILLERS.has(part));
  const most = Math.max(LEAST_COMMON, view.base.segment.count / COMMON);
  const counts = new Map(words.map((word) => [word, countTerm(view.base, word)]));
  const rare = words.filter((word) => (counts.get(word) as number) <= most);
  const tells = rare.some((word) => counts.get(word) !== 0);
  return [tells ? rare : words, all].find((parts) => parts.length > 0)?.slice(0, MOST_PARTIAL_TERMS) ?? [];
}

/** A term that one in so many listings has tells little. */
const COMMON = 16;
const LEAST_COMMON = 50;

const askedFor = ({ text: _, ...asked }: Search, terms: string[]): ListQuery => ({
  ...asked,
  terms,
  tag: null,
  sort: 'downloads',
});

function withAll(view: View, query: ListQuery, ids: Ids | null): SearchFound {
  const { total_count, hits } = pageOf(view, query, tiersOf, ids);
  return { terms: query.terms, is_whole: true, unmatched: [], total_count, hits };
}

function withSome(view: View, query: ListQuery): SearchFound {
  const { total_count, hits } = pageOf(view, query, partialTiersOf, null);
  const { base, delta, dead } = view;
  const isThere = (term: string): boolean =>
    hasTerm(base, { query, dead }, term) || (delta !== null && hasTerm(delta.reader, { query, dead: null }, term));
  return {
    terms: query.terms,
    is_whole: false,
    unmatched: query.terms.filter((term) => !isThere(term)),
    total_count,
    hits,
  };
}

function pageOf(view: View, query: ListQuery, work: (reader: Reader, wanted: Wanted) => Tiers, ids: Ids | null) {
  const parts = partsOf(query.terms.join(' '));
  const wanted = { query, parts, enough: query.offset + query.limit };
  const base = work(view.base, { ...wanted, rows: ids?.base ?? null, dead: view.dead });
  const delta =
    view.delta === null ? null : work(view.delta.reader, { ...wanted, rows: ids?.delta ?? null, dead: null });
  const rows = rowsBetween(view, base, delta, query.offset, query.offset + query.limit);
  return { total_count: base.total_count + (delta?.total_count ?? 0), hits: rows.map((row) => hitAt(view, row)) };
}

/** Numbered as `view.ts` has it: 0 and above in the base, `-1 - row` in the delta. */
function rowsBetween(view: View, base: Tiers, delta: Tiers | null, from: number, to: number): number[] {
  const page: number[] = [];
  let before = 0;
  for (const [at, tier] of base.tiers.entries()) {
    const other = delta?.tiers[at];
    const count = tier.count + (other?.count ?? 0);
    if (before + count > from && before < to && count > 0) {
      const end = Math.min(to - before, count);
      const ofBase = membersBetween(tier.set, 0, Math.min(end, tier.count), new Int32Array(Math.min(end, tier.count)));
      const merged = other === undefined || other.count === 0 ? [...ofBase] : merge(view, ofBase, other, end);
      page.push(...merged.slice(Math.max(0, from - before), end));
    }
    before += count;
  }
  return page;
}

/** By downloads, as `places` has it. */
function merge({ delta }: View, base: Int32Array, { set, count }: Tiers['tiers'][number], most: number): number[] {
  const places = (delta as NonNullable<View['delta']>).places.downloads;
  const length = Math.min(most, count);
  const others = membersBetween(set, 0, length, new Int32Array(length));
  const rows: number[] = [];
  for (let i = 0, j = 0; i < base.length || j < others.length; ) {
    const row = base[i];
    const other = others[j];
    if (other !== undefined && (row === undefined || (places[other] as number) <= row))
      rows.push(-1 - (others[j++] as number));
    else rows.push(base[i++] as number);
  }
  return rows;
}

const hitAt = (view: View, row: number): Hit => {
  const { segment } = readerAt(view, row);
  const at = row >= 0 ? row : -1 - row;
  return { item: readItem(segment, at), hint: readHint(segment, at) };
};
