import type { Away, Visit } from '../server/page.ts';

/** Where a reader signs in, and comes back from. */
export const signInPath = (here: string): string => `/signin?to=${encodeURIComponent(here)}`;

/** For pages that are somebody's own. */
export const signInFirst = ({ path, query }: Pick<Visit, 'path' | 'query'>): Away => ({
  location: signInPath(query.size === 0 ? path : `${path}?${query}`),
});
