import type { Kysely } from 'kysely';
import type { Catalog } from '#catalog/search/registry-index.ts';
import { readSyncStates } from '#catalog/sync/sync-states.ts';
import type { Schema } from '#core/db/schema.ts';
import { describeStats, type RegistryStats } from './describe-stats.ts';
import type { ProviderId } from './kinds.ts';
import { refuseWhileWarmingUp } from './warming-up.ts';

interface StatsSource {
  catalog: Pick<Catalog, 'isReady' | 'stats'>;
  db: Kysely<Schema>;
  /** The providers that the configuration enables. */
  enabled: readonly ProviderId[];
}

export type ReadStats = () => Promise<RegistryStats>;

/** Reads the current totals. Throws `http.unavailable` (`index`) until the index is ready. */
export const readStats =
  ({ catalog, db, enabled }: StatsSource): ReadStats =>
  async () => {
    refuseWhileWarmingUp(catalog);
    return describeStats(catalog.stats(), await readSyncStates(db), enabled);
  };
