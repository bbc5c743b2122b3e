import { Problem } from '#core/problem/problem.ts';
import type { Page } from './provider.ts';

/** Notices a provider whose paging never ends. */
export interface PageGuard {
  /** Throws `registry.provider_loops`. `fresh` = how many listings of the page the run had not met before. */
  check(page: Page, fresh: number): void;
}

const MAX_PAGES = 20_000;
const MAX_STALE_PAGES = 50;

export const createPageGuard = (first_cursor: string | null): PageGuard => {
  const cursors = new Set([first_cursor]);
  let pages = 0;
  let stale = 0;
  return {
    check: ({ next }, fresh) => {
      pages++;
      stale = fresh > 0 ? 0 : stale + 1;
      if (next === null) return;
      if (cursors.has(next)) throw loops('sent a cursor a second time');
      if (stale > MAX_STALE_PAGES) throw loops(`sent ${stale} pages in a row that hold nothing new`);
      if (pages >= MAX_PAGES) throw loops(`sent ${pages} pages and no end`);
      cursors.add(next);
    },
  };
};

const loops = (what: string): Problem =>
  new Problem('upstream_failed', 'registry.provider_loops', `The provider ${what}; the walk was given up.`);
