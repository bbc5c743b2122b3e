import type { PagePlace } from '#core/db/pages.ts';

type CountedPlace = PagePlace & { total_count: number };

/**
 * The `Link` header of a page (RFC 8288): `next` and `prev`, if they exist. `query` has the other parameters, without
 * `offset`. Links contain the whole path, so that clients that only prepend the host are correct too.
 */
export function pageLinks(path: string, place: CountedPlace, query: string): Record<string, string> {
  const { limit, offset, total_count } = place;
  const links: string[] = [];
  if (offset + limit < total_count) links.push(`<${path}?${query}&offset=${offset + limit}>; rel="next"`);
  if (offset > 0) links.push(`<${path}?${query}&offset=${before(place)}>; rel="prev"`);
  return links.length === 0 ? {} : { link: links.join(', ') };
}

/** Beyond the end, the previous page is the last non-empty one. */
const before = ({ limit, offset, total_count }: CountedPlace): number =>
  Math.max(0, Math.min(offset - limit, Math.floor((total_count - 1) / limit) * limit));
