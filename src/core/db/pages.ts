import type { SelectQueryBuilder } from 'kysely';

/** Queries that are answered a page at a time, and counted. */

export interface PagePlace {
  limit: number;
  offset: number;
}

export interface FoundPage<T> {
  items: T[];
  /** On all pages. */
  total_count: number;
}

/** Rows of a query of which nothing is selected yet. */
export async function countOf<DB, TB extends keyof DB>(of: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const [row] = await of.select((eb) => eb.fn.countAll<number>().as('count')).execute();
  return Number((row as { count: number }).count);
}

/** `rows` says what is shown of each row and in which order: one that no two share, or pages overlap. */
export async function pageOf<DB, TB extends keyof DB, Joined, Shown extends keyof Joined, T>(
  of: SelectQueryBuilder<DB, TB, object>,
  { limit, offset }: PagePlace,
  rows: (of: SelectQueryBuilder<DB, TB, object>) => SelectQueryBuilder<Joined, Shown, T>,
): Promise<FoundPage<T>> {
  const [items, total_count] = await Promise.all([rows(of).limit(limit).offset(offset).execute(), countOf(of)]);
  return { items: items as T[], total_count };
}
