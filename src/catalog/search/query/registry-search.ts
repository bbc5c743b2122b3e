import { parts as partsOf, words } from '#catalog/changes/fold.ts';
import type { Item } from '#catalog/items/item.ts';
import { PROVIDERS, type ProviderId } from '#catalog/items/kinds.ts';
import { hasBit } from '../index/bitset.ts';
import { findRow, keyOf } from '../index/key-table.ts';
import { readHint, readItem } from '../index/segment.ts';
import { STOP_WORDS } from '../text/stop-words.ts';
import { pageOf } from './list.ts';
import type { ListQuery } from './list-query.ts';
import { itemOfHit, type ListView, readerOfHit, rowOfHit, type SegmentReader } from './list-view.ts';
import type { Match } from './match.ts';
import {
  countTerm,
  hasTerm,
  MOST_PARTIAL_TERMS,
  type Tier,
  type TierQuery,
  type Tiers,
  tiersOfAll,
  tiersOfSome,
} from './tiers.ts';

/** `registry_search`: a search of the registry by relevance. Lists are by downloads; here the best match comes first. */

export interface RegistrySearch
  extends Pick<ListQuery, 'provider' | 'listing_type' | 'execution_class' | 'limit' | 'offset'> {
  /** As the caller wrote it. */
  text: string;
}

export interface RegistryResult {
  /** Folded, without duplicates. */
  terms: string[];
  /** False if no listing has all terms, and these are the ones with most. */
  is_whole: boolean;
  /** Terms that no listing has. Only known if not whole. */
  unmatched: string[];
  /** How many listings have all terms, or some if not whole. */
  total_count: number;
  hits: RegistryHit[];
}

export interface RegistryHit {
  item: Item;
  /** How to install it (install-hint.ts). */
  hint: string;
}

export function searchRegistry(view: ListView, request: RegistrySearch): RegistryResult {
  const text = request.text.toWellFormed();
  const query = queryOf(request, [...new Set(words(text))]);
  // Text that looks like an id is tried as one first; a plain word only if nothing has it.
  const found = withAllTerms(view, query, /[/@]/.test(text) ? findIds(view, request, text) : null);
  if (found.total_count > 0) return found;
  const byId = withAllTerms(view, query, findIds(view, request, text));
  if (byId.total_count > 0) return byId;
  const shorter = queryOf(request, distinctiveTerms(view, text));
  if (shorter.terms.length === 0) return found;
  const again = withAllTerms(view, shorter, null);
  return again.total_count > 0 ? again : withSomeTerms(view, shorter);
}

/** The terms without stop words, punctuation and what very many listings have. */
function distinctiveTerms(view: ListView, text: string): string[] {
  const all = partsOf(text);
  const telling = all.filter((term) => !STOP_WORDS.has(term));
  const most = Math.max(LEAST_COMMON, view.base.segment.count / COMMON);
  const counts = new Map(telling.map((term) => [term, countTerm(view.base, term)]));
  const rare = telling.filter((term) => (counts.get(term) as number) <= most);
  const isFound = rare.some((term) => counts.get(term) !== 0);
  const terms = [isFound ? rare : telling, all].find(({ length }) => length > 0);
  return terms?.slice(0, MOST_PARTIAL_TERMS) ?? [];
}

/** A term that one in this many listings has is common. */
const COMMON = 16;
const LEAST_COMMON = 50;

const queryOf = ({ text: _, ...request }: RegistrySearch, terms: string[]): ListQuery => ({
  ...request,
  terms,
  tag: null,
  sort: 'downloads',
});

function withAllTerms(view: ListView, query: ListQuery, ids: Ids | null): RegistryResult {
  const { total_count, hits } = pageOfTiers(view, query, tiersOfAll, ids);
  return { terms: query.terms, is_whole: true, unmatched: [], total_count, hits };
}

function withSomeTerms(view: ListView, query: ListQuery): RegistryResult {
  const { total_count, hits } = pageOfTiers(view, query, tiersOfSome, null);
  const { base, delta, deleted } = view;
  const exists = (term: string): boolean =>
    hasTerm(base, { query, deleted }, term) ||
    (delta !== null && hasTerm(delta.reader, { query, deleted: null }, term));
  return {
    terms: query.terms,
    is_whole: false,
    unmatched: query.terms.filter((term) => !exists(term)),
    total_count,
    hits,
  };
}

function pageOfTiers(
  view: ListView,
  query: ListQuery,
  tiersOf: (reader: SegmentReader, query: TierQuery) => Tiers,
  ids: Ids | null,
): { total_count: number; hits: RegistryHit[] } {
  const shared = { query, parts: partsOf(query.terms.join(' ')), enough: query.offset + query.limit };
  const base = tiersOf(view.base, { ...shared, ids: ids?.base ?? null, deleted: view.deleted });
  const delta =
    view.delta === null ? null : tiersOf(view.delta.reader, { ...shared, ids: ids?.delta ?? null, deleted: null });
  const hits: RegistryHit[] = [];
  let before = 0;
  for (const [at, tier] of base.tiers.entries()) {
    const other = delta?.tiers[at];
    const offset = Math.max(0, query.offset - before);
    const limit = query.limit - hits.length;
    before += tier.count + (other?.count ?? 0);
    if (before <= query.offset || limit <= 0) continue;
    const page = pageOf(view, matchOf(tier), other === undefined ? null : matchOf(other), {
      sort: 'downloads',
      limit,
      offset,
    });
    for (const hit of page.hits) hits.push(readHit(view, hit));
  }
  return { total_count: base.total_count + (delta?.total_count ?? 0), hits };
}

const matchOf = ({ set, count }: Tier): Match => ({ list: null, set, count, checkpoints: null });

const readHit = (view: ListView, hit: number): RegistryHit => ({
  item: itemOfHit(view, hit),
  hint: readHint(readerOfHit(view, hit).segment, rowOfHit(hit)),
});

/** Rows with the requested id. */
interface Ids {
  base: number[];
  delta: number[];
}

/** An id at any provider, or at the provider before it, such as `glama/abc`. Null if the text is not an id. */
function findIds(view: ListView, request: Filters, text: string): Ids | null {
  const id = text.trim();
  if (id === '' || /\s/.test(id)) return null;
  const named = PROVIDERS.find((provider) => id.startsWith(`${provider}/`));
  const places = PROVIDERS.map((provider): [ProviderId, string] => [provider, id]);
  if (named !== undefined) places.push([named, id.slice(named.length + 1)]);
  const ids: Ids = { base: [], delta: [] };
  for (const [provider, externalId] of places) {
    const key = keyOf(provider, externalId);
    const row = findRow(view.base.segment, key);
    const isDeleted = row >= 0 && view.deleted !== null && hasBit(view.deleted, row);
    if (row >= 0 && !isDeleted && passesFilters(view.base, row, request)) ids.base.push(row);
    const other = view.delta === null ? -1 : findRow(view.delta.reader.segment, key);
    if (view.delta !== null && other >= 0 && passesFilters(view.delta.reader, other, request)) ids.delta.push(other);
  }
  return ids.base.length + ids.delta.length === 0 ? null : ids;
}

type Filters = Pick<ListQuery, 'provider' | 'listing_type' | 'execution_class'>;

function passesFilters({ segment }: SegmentReader, row: number, filters: Filters): boolean {
  const item = readItem(segment, row);
  return (
    (filters.provider === null || filters.provider === item.provider_id) &&
    (filters.listing_type === null || filters.listing_type === item.listing_type) &&
    (filters.execution_class === null || filters.execution_class === item.execution_class)
  );
}
