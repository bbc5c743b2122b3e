import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { registryContract } from './contract.ts';
import { describeStats } from './describe-stats.ts';
import type { ProviderId } from './kinds.ts';
import { readSyncStates } from './sync/sync-states.ts';
import { refuseWhileWarmingUp } from './warming-up.ts';

/** GET /api/marketplace/registry/stats */
export const getStats =
  (deps: {
    catalog: Pick<Catalog, 'isReady' | 'stats'>;
    db: Kysely<Schema>;
    enabled: readonly ProviderId[];
  }): Handler<typeof registryContract.getStats> =>
  async () => {
    refuseWhileWarmingUp(deps.catalog);
    return json(describeStats(deps.catalog.stats(), await readSyncStates(deps.db), deps.enabled));
  };
