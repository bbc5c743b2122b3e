import type { FoundPage, PagePlace } from '#core/db/pages.ts';
import { json } from './operation.ts';
import { pageLinks } from './page-links.ts';

/** A page as lists answer it, with the way to its neighbours. `asked` is what else was asked; undefined was not. */
export function jsonPage<T>(
  { items, total_count }: FoundPage<T>,
  { limit, offset }: PagePlace,
  raw_path: string,
  asked: Record<string, string | number | boolean | undefined> = {},
) {
  const given = Object.entries({ ...asked, limit }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  const page = { total_count, limit, offset };
  return json({ items, ...page }, { headers: pageLinks(raw_path, page, `${new URLSearchParams(given)}`) });
}
