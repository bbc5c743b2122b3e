import type { Kysely } from 'kysely';
import type { ProviderId } from '#catalog/items/kinds.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Routes } from '#core/http/operation.ts';
import type { syncContract } from './contract.ts';
import type { SyncEngine } from './engine.ts';
import { getSync } from './get.ts';
import { listRejected } from './list-rejected.ts';
import { startSync } from './start.ts';

interface SyncDeps {
  db: Kysely<Schema>;
  /** The providers that the configuration enables. */
  enabled: readonly ProviderId[];
  clock: Clock;
  sync: Pick<SyncEngine, 'syncNow'>;
}

export const syncRoutes = ({ db, enabled, clock, sync }: SyncDeps): Routes<typeof syncContract> => ({
  get: getSync({ db, enabled }),
  listRejected: listRejected({ db }),
  start: startSync({ db, enabled, clock, sync }),
});
