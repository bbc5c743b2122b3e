import type { Kysely } from 'kysely';
import { PROVIDERS, type ProviderId } from '#catalog/items/kinds.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { syncContract } from './contract.ts';
import { readSyncStates } from './sync-states.ts';
import { syncStatusOf } from './sync-status.ts';

/** GET /api/marketplace/registry/sync */
export const getSync =
  ({ db, enabled }: { db: Kysely<Schema>; enabled: readonly ProviderId[] }): Handler<typeof syncContract.get> =>
  async () => {
    const states = new Map((await readSyncStates(db)).map((state) => [state.provider_id, state]));
    return json({ providers: PROVIDERS.map((provider) => syncStatusOf(provider, states.get(provider), enabled)) });
  };
