import { SOURCES } from '#catalog/items/own-listings.ts';
import { type Segment, setAt } from '../index/segment.ts';
import { type ListParameters, type ListQuery, normalQuery, queryString } from './list-query.ts';
import type { MarketplaceView } from './marketplace-view.ts';

/** A list's parameters: the registry's, and `source`. A capability may have several sources, so provider and source are both conditions. */
interface CapabilityParameters extends ListParameters {
  source?: string | undefined;
}

interface CapabilityQuery {
  query: ListQuery;
  sources: string[];
  /** The query string of the same request, without `?` and without `offset`. */
  text: string;
}

export function capabilityQuery({ source, provider, ...given }: CapabilityParameters): CapabilityQuery {
  const query = normalQuery(given);
  const named = Object.entries({ source, provider }).filter(
    (parameter): parameter is [string, string] => parameter[1] !== undefined,
  );
  return {
    query,
    sources: [...new Set(named.map(([, value]) => value))],
    text: `${named.map(([name, value]) => `${name}=${value}&`).join('')}${queryString(query)}`,
  };
}

/** The query for one state of the index. */
export const inView = ({ query, sources }: CapabilityQuery, view: MarketplaceView): ListQuery => ({
  ...query,
  extra: sources.map((source) => ({ key: source, setIn: (list: Segment) => sourceSet(view, list, source) })),
});

function sourceSet({ parts: [base, delta] }: MarketplaceView, list: Segment, source: string): Int32Array {
  const { sources, count } = delta?.segment.list === list ? delta.segment : base.segment;
  return setAt(sources, (SOURCES as readonly string[]).indexOf(source), count);
}
