/** The state of a list in the address: search, filters, sort order and offset. */

export interface ListPlace {
  path: string;
  filters: readonly string[];
  /** Sort keys with their labels. */
  sorts: Readonly<Record<string, string>>;
  /** The sort order if the address names none. */
  first_sort: string;
}

/** Reads the address. Unknown parameters, such as those of trackers, are ignored. */
export interface Asked {
  place: ListPlace;
  search: string;
  filters: Record<string, string>;
  sort: string;
  offset: number;
  /** Without corrections and translations of the text. */
  as_typed: boolean;
}

export function askedOf(query: URLSearchParams, place: ListPlace): Asked {
  const given = place.filters.map((name) => [name, query.get(name) ?? ''] as const).filter(([, value]) => value !== '');
  const sort = query.get('sort') ?? '';
  const offset = Number(query.get('offset') ?? 0);
  return {
    place,
    search: (query.get('search') ?? '').trim(),
    filters: Object.fromEntries(given),
    sort: Object.hasOwn(place.sorts, sort) ? sort : place.first_sort,
    as_typed: query.get('as_typed') === '1',
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
  };
}

/** The address of a list with some parameters changed. */
export function addressOf(
  { place, search, filters, sort, offset, as_typed }: Asked,
  change: Record<string, string> = {},
): string {
  const all = {
    search,
    ...filters,
    sort,
    offset: offset > 0 ? `${offset}` : '',
    as_typed: as_typed ? '1' : '',
    ...change,
  };
  if (all.sort === place.first_sort) all.sort = '';
  const query = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''));
  return query.size === 0 ? place.path : `${place.path}?${query}`;
}
