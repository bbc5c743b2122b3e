import type { Away, Visit } from '../server/page.ts';

/** The sign-in page, which returns to a path afterwards. */
export const signInPath = (here: string): string => `/signin?to=${encodeURIComponent(here)}`;

/** For pages that need a session. */
export const signInFirst = ({ path, query }: Pick<Visit, 'path' | 'query'>): Away => ({
  location: signInPath(query.size === 0 ? path : `${path}?${query}`),
});
