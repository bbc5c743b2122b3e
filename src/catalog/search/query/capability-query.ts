import type { CapabilitySegment } from '../index/capability-segment.ts';
import type { Segment } from '../index/segment.ts';
import { sourceSet } from './filters.ts';
import { type ListParameters, type ListQuery, normalQuery, queryString } from './list-query.ts';
import type { IndexView } from './marketplace-view.ts';

/** The list's parameters: the registry's, and `source`. A capability may have several providers, so both are conditions here. */

export interface CapabilityParameters extends ListParameters {
  source?: string | undefined;
}

export interface CapabilityQuery {
  query: ListQuery;
  sources: string[];
  /** The query string, without `?` and without `offset`, that asks for the same. */
  text: string;
}

export function capabilityQuery({ source, provider, ...given }: CapabilityParameters): CapabilityQuery {
  const query = normalQuery(given);
  const named = Object.entries({ source, provider }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    query,
    sources: [...new Set(named.map(([, value]) => value))],
    text: `${named.map(([name, value]) => `${name}=${value}&`).join('')}${queryString(query)}`,
  };
}

/** As the catalogue's functions take it, for one state of the index. */
export const inView = ({ query, sources }: CapabilityQuery, view: IndexView): ListQuery => ({
  ...query,
  also: sources.map((source) => ({ key: source, setIn: (list: Segment) => sourceSet(partOf(view, list), source) })),
});

const partOf = ({ parts: [base, delta] }: IndexView, list: Segment): CapabilitySegment =>
  delta?.segment.list === list ? delta.segment : base.segment;
