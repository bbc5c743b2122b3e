import type { Catalog } from '#catalog/search/registry-index.ts';
import { Problem } from '#core/problem/problem.ts';

/** Throws `registry.warming_up` until the index is ready, because totals would be wrong. */
export function refuseWhileWarmingUp(catalog: Pick<Catalog, 'isReady'>): void {
  if (catalog.isReady) return;
  throw new Problem('unavailable', 'registry.warming_up', "The catalogue's index is being built. Retry in a second.", {
    headers: { 'retry-after': '1' },
  });
}
