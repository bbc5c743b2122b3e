import type { Kysely } from 'kysely';
import type { ProviderId } from '#catalog/items/kinds.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Routes } from '#core/http/operation.ts';
import type { syncContract } from './contract.ts';
import { getSync } from './get.ts';
import { listRejected } from './list-rejected.ts';

interface SyncDeps {
  db: Kysely<Schema>;
  /** The providers that the configuration enables. */
  enabled: readonly ProviderId[];
}

export const syncRoutes = ({ db, enabled }: SyncDeps): Routes<typeof syncContract> => ({
  get: getSync({ db, enabled }),
  listRejected: listRejected({ db }),
});
