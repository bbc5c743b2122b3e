import type { Kysely } from 'kysely';
import type { Catalog } from '#catalog/search/registry-index.ts';
import { readSyncStates } from '#catalog/sync/sync-states.ts';
import type { Schema } from '#core/db/schema.ts';
import { type CountedCoverage, describeStats, type RegistryStats } from './describe-stats.ts';
import type { ProviderId } from './kinds.ts';
import { refuseWhileWarmingUp } from './warming-up.ts';

interface StatsSource {
  catalog: Pick<Catalog, 'isReady' | 'stats'>;
  db: Kysely<Schema>;
  /** The providers that the configuration enables. */
  enabled: readonly ProviderId[];
  /** Null before the first count. */
  readCoverage(): Promise<CountedCoverage | null>;
}

export type ReadStats = () => Promise<RegistryStats>;

/** Reads the current totals. Throws `http.unavailable` (`index`) until the index is ready. */
export const readStats =
  ({ catalog, db, enabled, readCoverage }: StatsSource): ReadStats =>
  async () => {
    refuseWhileWarmingUp(catalog);
    const [states, coverage] = await Promise.all([readSyncStates(db), readCoverage()]);
    return describeStats(catalog.stats(), states, enabled, coverage);
  };
