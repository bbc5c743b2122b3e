/** The registry list's place in the address. */

export const FILTERS = ['provider', 'listing_type', 'execution_class', 'tag'] as const;
export const SORTS = { downloads: 'Downloads', stars: 'Stars', updated: 'Updated', name: 'Name' };

/** What the address asks for; other parameters, such as those of advertisers, are passed over. */
export interface Asked {
  search: string;
  filters: Record<string, string>;
  sort: keyof typeof SORTS;
  offset: number;
}

export function askedOf(query: URLSearchParams): Asked {
  const given = FILTERS.map((name) => [name, query.get(name) ?? ''] as const).filter(([, value]) => value !== '');
  const sort = query.get('sort') ?? '';
  const offset = Number(query.get('offset') ?? 0);
  return {
    search: (query.get('search') ?? '').trim(),
    filters: Object.fromEntries(given),
    sort: Object.hasOwn(SORTS, sort) ? (sort as Asked['sort']) : 'downloads',
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
  };
}

/** The address of what is asked, with some of it changed. */
export function addressOf({ search, filters, sort, offset }: Asked, change: Record<string, string> = {}): string {
  const all = {
    search,
    ...filters,
    sort: sort === 'downloads' ? '' : sort,
    offset: offset > 0 ? `${offset}` : '',
    ...change,
  };
  const query = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''));
  return query.size === 0 ? '/registry' : `/registry?${query}`;
}
