import { catalogProblem } from '#catalog/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { Page } from './provider.ts';

/** Detects a provider whose pages never end. */
interface PageGuard {
  /** Throws `registry.provider_failed` (`loop`). `fresh` is the number of listings on the page that are new in this run. */
  check(page: Page, fresh: number): void;
}

const MAX_PAGES = 20_000;
const MAX_STALE_PAGES = 50;

export function createPageGuard(first_cursor: string | null): PageGuard {
  const cursors = new Set([first_cursor]);
  let pages = 0;
  let stale = 0;
  return {
    check: ({ next }, fresh) => {
      pages++;
      stale = fresh > 0 ? 0 : stale + 1;
      if (next === null) return;
      if (cursors.has(next)) throw loops('sent the same cursor twice');
      if (stale > MAX_STALE_PAGES) throw loops(`sent ${stale} pages in a row without new listings`);
      if (pages >= MAX_PAGES) throw loops(`sent ${pages} pages without an end`);
      cursors.add(next);
    },
  };
}

const loops = (what: string): Problem =>
  catalogProblem('registry.provider_failed', `The provider ${what}; the run was stopped.`, { reason: 'loop' });
