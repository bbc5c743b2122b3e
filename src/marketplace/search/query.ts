import { SORTS } from '#catalog/index/segment.ts';

export const SEARCH_SORTS = ['relevance', ...SORTS] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];
