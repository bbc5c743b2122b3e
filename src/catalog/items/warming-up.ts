import type { Catalog } from '#catalog/search/registry-index.ts';
import { coreProblem } from '#core/errors.ts';

/** Throws `http.unavailable` (`index`) until the index is ready, because totals would be wrong. */
export function refuseWhileWarmingUp(catalog: Pick<Catalog, 'isReady'>): void {
  if (catalog.isReady) return;
  throw coreProblem('http.unavailable', "The catalog's index is being built. Retry in a second.", {
    reason: 'index',
    headers: { 'retry-after': '1' },
  });
}
