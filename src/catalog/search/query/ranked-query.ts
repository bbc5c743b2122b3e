import { words } from '#catalog/changes/fold.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { type ListParameters, normalQuery, type ShownQuery } from './list-query.ts';
import type { ListingRequest } from './ranked-listings.ts';

/** The parameters of a list whose order is relevance. */

interface RankedQuery {
  request: ListingRequest;
  /** For links and headings. */
  shown: ShownQuery;
}

/** Null if another order is asked for, or if there are no words to rank by. `with_own`: also what is published here and what is built in. */
export function rankedQuery(given: ListParameters, { with_own }: { with_own: boolean }): RankedQuery | null {
  const text = (given.search ?? '').trim().toWellFormed();
  if (given.sort !== 'relevance' || words(text).length === 0) return null;
  const query = normalQuery(given);
  const { listing_type, execution_class, tag, limit, offset } = query;
  const listed = given.provider === undefined ? PROVIDERS : [given.provider];
  const isOwn = with_own && given.provider === undefined;
  return {
    request: {
      text,
      as_typed: given.as_typed === true,
      sources: isOwn ? [OWN_SOURCE, ...listed] : listed,
      with_built_in: isOwn,
      listing_type,
      execution_class,
      tag,
      limit,
      offset,
    },
    shown: { ...query, terms: [text], sort: 'relevance' },
  };
}
