import type { PagePlace } from '#core/db/pages.ts';

type CountedPlace = PagePlace & { total_count: number };

/**
 * The `Link` header of a page (RFC 8288): `next` and `prev`, where there are such pages. `query` is what else was asked,
 * without `offset`. With the whole path, so that a client that only puts its base before it is right too.
 */
export function pageLinks(path: string, place: CountedPlace, query: string): Record<string, string> {
  const { limit, offset, total_count } = place;
  const links: string[] = [];
  if (offset + limit < total_count) links.push(`<${path}?${query}&offset=${offset + limit}>; rel="next"`);
  if (offset > 0) links.push(`<${path}?${query}&offset=${before(place)}>; rel="prev"`);
  return links.length === 0 ? {} : { link: links.join(', ') };
}

/** From beyond the end the way back leads to the last page that holds something. */
const before = ({ limit, offset, total_count }: CountedPlace): number =>
  Math.max(0, Math.min(offset - limit, Math.floor((total_count - 1) / limit) * limit));
