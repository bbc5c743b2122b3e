import type { FoundPage, PagePlace } from '#core/db/pages.ts';
import { json } from './operation.ts';
import { pageLinks } from './page-links.ts';

/**
 * Returns a page of a list with links to its neighbours. `asked` has the other query parameters; undefined ones are
 * omitted. `beside` are further members of the answer.
 */
export function jsonPage<T>(
  { items, total_count }: FoundPage<T>,
  { limit, offset }: PagePlace,
  raw_path: string,
  asked: Record<string, string | number | boolean | undefined> = {},
  beside: object = {},
) {
  const given = Object.entries({ ...asked, limit }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  const page = { total_count, limit, offset };
  return json({ items, ...page, ...beside }, { headers: pageLinks(raw_path, page, `${new URLSearchParams(given)}`) });
}
