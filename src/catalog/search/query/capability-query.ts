import { words } from '#catalog/changes/fold.ts';
import { SOURCES } from '#catalog/items/own-listings.ts';
import { defined } from '#core/defined.ts';
import { type Segment, setAt } from '../index/segment.ts';
import { findPage, type ListPage } from './list.ts';
import { type ListParameters, type ListQuery, normalQuery, queryString, type SearchSort } from './list-query.ts';
import { searchCapabilities } from './marketplace-search.ts';
import type { MarketplaceView } from './marketplace-view.ts';

/** A list's parameters: the registry's, and `source`. A capability may have several sources, so provider and source are both conditions. */
interface CapabilityParameters extends ListParameters {
  source?: string | undefined;
}

interface CapabilityQuery {
  /** Without the search. */
  query: ListQuery;
  /** Empty: nothing is searched. */
  search: string;
  sort: SearchSort;
  sources: string[];
  /** The query string of the same request, without `?` and without `offset`. */
  text: string;
}

export function capabilityQuery({
  source,
  provider,
  search: given = '',
  ...rest
}: CapabilityParameters): CapabilityQuery {
  const text = given.trim().toWellFormed();
  const search = words(text).length === 0 ? '' : text;
  const wanted = rest.sort ?? 'relevance';
  const sort = search === '' && wanted === 'relevance' ? 'downloads' : wanted;
  const query = normalQuery(rest);
  const named = Object.entries({ source, provider }).filter(
    (parameter): parameter is [string, string] => parameter[1] !== undefined,
  );
  const shown = { ...query, terms: search === '' ? [] : [search], sort };
  return {
    query,
    search,
    sort,
    sources: [...new Set(named.map(([, value]) => value))],
    text: `${named.map(([name, value]) => `${name}=${value}&`).join('')}${queryString(shown)}`,
  };
}

/** A page of one state of the index: of a search, or of everything that the filters let through. */
export function capabilityPage(view: MarketplaceView, asked: CapabilityQuery): ListPage {
  const { query, search, sort, sources } = asked;
  if (search === '') return findPage(view.list, inView(asked, view));
  const { listing_type, execution_class, tag, limit, offset } = query;
  const [provider = null, also] = sources;
  const filters = {
    provider,
    listing_type,
    execution_class,
    tag,
    verified: null,
    ...defined({ also_listed_by: also }),
  };
  const found = searchCapabilities(view, { text: search, as_typed: false, filters, sort, limit, offset });
  return { total_count: found.total_count, hits: Int32Array.from(found.hits, ({ row }) => row) };
}

const inView = ({ query, sources }: CapabilityQuery, view: MarketplaceView): ListQuery => ({
  ...query,
  extra: sources.map((source) => ({ key: source, setIn: (list: Segment) => sourceSet(view, list, source) })),
});

function sourceSet({ parts: [base, delta] }: MarketplaceView, list: Segment, source: string): Int32Array {
  const { sources, count } = delta?.segment.list === list ? delta.segment : base.segment;
  return setAt(sources, (SOURCES as readonly string[]).indexOf(source), count);
}
