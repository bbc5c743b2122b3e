import type { CatalogStats } from '#catalog/search/registry-index.ts';
import { isLeftOut } from '#catalog/sync/sync-states.ts';
import type { SyncStateRow } from '#core/db/schema.ts';
import type { Coverage } from './coverage.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS, type ProviderId } from './kinds.ts';

/** Combines the counts of the index with the states of the syncs. */

interface ProviderStats {
  provider: string;
  count: number;
  by_listing_type: Record<string, number>;
  by_execution_class: Record<string, number>;
  /** End of the last successful sync. */
  last_synced_at: string | null;
  status: string;
  /** Null before the first count. */
  coverage: Coverage | null;
}

export interface CountedCoverage {
  counted_at: string;
  by_provider: ReadonlyMap<string, Coverage>;
}

export interface RegistryStats {
  total_count: number;
  by_provider: ProviderStats[];
  by_listing_type: Record<string, number>;
  by_execution_class: Record<string, number>;
  /** The latest `last_synced_at`. */
  updated_at: string | null;
  coverage_counted_at: string | null;
}

type State = Pick<SyncStateRow, 'provider_id' | 'status' | 'last_success_at'>;
type Counts = CatalogStats['counts'];

export function describeStats(
  stats: Pick<CatalogStats, 'total_count' | 'counts'>,
  states: readonly State[],
  enabled: readonly ProviderId[],
  coverage: CountedCoverage | null,
): RegistryStats {
  const by_provider = PROVIDERS.map((provider) => {
    const counts = stats.counts.filter((count) => count.provider === provider);
    const state = states.find((state) => state.provider_id === provider);
    return {
      provider,
      count: counts.reduce((sum, count) => sum + count.count, 0),
      ...totals(counts),
      last_synced_at: state?.last_success_at ?? null,
      status: isLeftOut(provider, state, enabled) ? 'disabled' : (state?.status ?? 'never'),
      coverage: coverage?.by_provider.get(provider) ?? null,
    };
  });
  const times = by_provider.flatMap((entry) => entry.last_synced_at ?? []).toSorted();
  return {
    total_count: stats.total_count,
    by_provider,
    ...totals(stats.counts),
    updated_at: times.at(-1) ?? null,
    coverage_counted_at: coverage?.counted_at ?? null,
  };
}

/** Every type and class has a number, including 0. */
const totals = (counts: Counts): Pick<RegistryStats, 'by_listing_type' | 'by_execution_class'> => ({
  by_listing_type: sums(LISTING_TYPES, counts, 'listing_type'),
  by_execution_class: sums(EXECUTION_CLASSES, counts, 'execution_class'),
});

const sums = (values: readonly string[], counts: Counts, field: 'listing_type' | 'execution_class') =>
  Object.fromEntries(
    values.map((value) => [
      value,
      counts.filter((count) => count[field] === value).reduce((sum, count) => sum + count.count, 0),
    ]),
  );
