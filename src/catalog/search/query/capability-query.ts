import { words } from '#catalog/changes/fold.ts';
import { SOURCES } from '#catalog/items/own-listings.ts';
import { defined } from '#core/defined.ts';
import { type Segment, setAt } from '../index/segment.ts';
import type { Aid } from './aid.ts';
import { NO_FILTERS } from './filter.ts';
import { findPage, type ListPage } from './list.ts';
import { type ListParameters, type ListQuery, normalQuery, queryString, type SearchSort } from './list-query.ts';
import { type SearchRequest, searchCapabilities } from './marketplace-search.ts';
import type { MarketplaceView } from './marketplace-view.ts';

/** A list's parameters: the registry's, and `source`. A capability may have several sources, so provider and source are both conditions. */
interface CapabilityParameters extends ListParameters {
  source?: string | undefined;
}

interface CapabilityQuery {
  /** Without the search. */
  query: ListQuery;
  /** Null: nothing is searched. */
  search: SearchRequest | null;
  sources: string[];
  /** The query string of the same request, without `?` and without `offset`. */
  text: string;
}

export function capabilityQuery({
  source,
  provider,
  search: given = '',
  sort: wanted = 'relevance',
  ...rest
}: CapabilityParameters): CapabilityQuery {
  const text = given.trim().toWellFormed();
  const isSearch = words(text).length > 0;
  const sort = !isSearch && wanted === 'relevance' ? 'downloads' : wanted;
  const query = normalQuery({ ...rest, sort });
  const named = Object.entries({ source, provider }).filter(
    (parameter): parameter is [string, string] => parameter[1] !== undefined,
  );
  const sources = [...new Set(named.map(([, value]) => value))];
  const shown = { ...query, terms: isSearch ? [text] : [], sort };
  return {
    query,
    search: isSearch ? searchFor(text, sort, sources, query) : null,
    sources,
    text: `${named.map(([name, value]) => `${name}=${value}&`).join('')}${queryString(shown)}`,
  };
}

function searchFor(text: string, sort: SearchSort, sources: readonly string[], query: ListQuery): SearchRequest {
  const { listing_type, execution_class, tag, limit, offset } = query;
  const [provider = null, also] = sources;
  const fields = { ...NO_FILTERS, provider, listing_type, execution_class, tag };
  return { text, as_typed: false, filters: { ...fields, ...defined({ also_listed_by: also }) }, sort, limit, offset };
}

/** A page of one state of the index: of a search, or of everything that the filters let through. */
export function capabilityPage(view: MarketplaceView, asked: CapabilityQuery, aid: Aid | null): ListPage {
  if (asked.search === null) return findPage(view.list, inView(asked, view));
  const { total_count, hits } = searchCapabilities(view, { ...asked.search, aid, unfolded: true });
  return { total_count, hits: Int32Array.from(hits, ({ row }) => row) };
}

const inView = ({ query, sources }: CapabilityQuery, view: MarketplaceView): ListQuery => ({
  ...query,
  extra: sources.map((source) => ({ key: source, setIn: (list: Segment) => sourceSet(view, list, source) })),
});

function sourceSet({ parts: [base, delta] }: MarketplaceView, list: Segment, source: string): Int32Array {
  const { sources, count } = delta?.segment.list === list ? delta.segment : base.segment;
  return setAt(sources, (SOURCES as readonly string[]).indexOf(source), count);
}
