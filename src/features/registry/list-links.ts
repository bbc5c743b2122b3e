import { pageLinks } from '../../platform/http/page-links.ts';
import { type ListQuery, queryString } from './catalog/query.ts';

/** `Link` to the neighbouring pages of the same query. */
export const listLinks = (path: string, query: ListQuery, total_count: number): Record<string, string> =>
  pageLinks(path, { ...query, total_count }, (offset) => queryString({ ...query, offset }));
