import { fold, words } from '#catalog/changes/fold.ts';
import type { ExecutionClass, ListingType, ProviderId } from '#catalog/items/kinds.ts';
import { type Segment, SORTS, type Sort } from '../index/segment.ts';

/** What a search of the marketplace may order by. */
export const SEARCH_SORTS = ['relevance', ...SORTS] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];

/** A list's parameters after validation. */
export interface ListParameters {
  provider?: ProviderId | undefined;
  listing_type?: ListingType | undefined;
  execution_class?: ExecutionClass | undefined;
  tag?: string | undefined;
  search?: string | undefined;
  /** Relevance needs a search (ranked-listings.ts). A filter orders by downloads instead. */
  sort?: SearchSort;
  limit?: number;
  offset?: number;
  /** Of a search by relevance. */
  as_typed?: boolean | undefined;
}

/** The parameters in a normal form: equal for two requests that mean the same. */
export interface ListQuery {
  provider: string | null;
  listing_type: string | null;
  execution_class: string | null;
  /** Folded. */
  tag: string | null;
  /** Folded, without duplicates, in the order of the request. */
  terms: string[];
  sort: Sort;
  limit: number;
  offset: number;
  extra?: readonly ExtraCondition[];
}

/** The order as answers report it. A search by relevance has the whole text as its only term. */
export interface ShownQuery extends Omit<ListQuery, 'sort'> {
  sort: SearchSort;
}

/** A condition on something that a segment of listings does not index. `key` has no space. */
interface ExtraCondition {
  key: string;
  setIn(segment: Segment): Int32Array;
}

/** An empty parameter is no condition. Lone surrogates become U+FFFD, as in the index. */
export function normalQuery(given: ListParameters): ListQuery {
  const tag = given.tag === undefined ? '' : fold(given.tag.toWellFormed());
  return {
    provider: given.provider ?? null,
    listing_type: given.listing_type ?? null,
    execution_class: given.execution_class ?? null,
    tag: tag === '' ? null : tag,
    terms: given.search === undefined ? [] : distinct(words(given.search.toWellFormed())),
    sort: given.sort === undefined || given.sort === 'relevance' ? 'downloads' : given.sort,
    limit: given.limit ?? 50,
    offset: given.offset ?? 0,
  };
}

/** A few are compared without a Set, for the reason in text-cache.ts. */
const distinct = (terms: string[]): string[] =>
  terms.length > 8 ? [...new Set(terms)] : terms.filter((term, i) => terms.indexOf(term) === i);

/** The query string of the same request, without `?` and without `offset`. */
export function queryString(query: ShownQuery): string {
  let text = '';
  if (query.provider !== null) text += `provider=${query.provider}&`;
  if (query.listing_type !== null) text += `listing_type=${query.listing_type}&`;
  if (query.execution_class !== null) text += `execution_class=${query.execution_class}&`;
  if (query.tag !== null) text += `tag=${encodeURIComponent(query.tag)}&`;
  if (query.terms.length > 0) text += `search=${query.terms.map(encodeURIComponent).join('+')}&`;
  return `${text}sort=${query.sort}&limit=${query.limit}`;
}
