import type { SelectQueryBuilder } from 'kysely';

/** Queries with pages and a total count. */

export interface PagePlace {
  limit: number;
  offset: number;
}

export interface FoundPage<T> {
  items: T[];
  /** Over all pages. */
  total_count: number;
}

/** Counts the rows of a query without selected columns. */
export async function countOf<DB, TB extends keyof DB>(of: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const [row] = await of.select((eb) => eb.fn.countAll<number>().as('count')).execute();
  return Number((row as { count: number }).count);
}

/** `rows` selects columns and order. The order must be unique, otherwise pages overlap. */
export async function pageOf<DB, TB extends keyof DB, Joined, Shown extends keyof Joined, T>(
  of: SelectQueryBuilder<DB, TB, object>,
  { limit, offset }: PagePlace,
  rows: (of: SelectQueryBuilder<DB, TB, object>) => SelectQueryBuilder<Joined, Shown, T>,
): Promise<FoundPage<T>> {
  const [items, total_count] = await Promise.all([rows(of).limit(limit).offset(offset).execute(), countOf(of)]);
  return { items: items as T[], total_count };
}
