import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import type { registryContract } from './contract.ts';
import { PROVIDERS } from './kinds.ts';
import { errorOf, readSyncStates, type SyncState } from './sync/sync-states.ts';

/** GET /api/marketplace/registry/sync */
export const getSync =
  ({ db }: { db: Kysely<Schema> }): Handler<typeof registryContract.getSync> =>
  async () => {
    const states = new Map((await readSyncStates(db)).map((state) => [state.provider_id, state]));
    return json({ providers: PROVIDERS.map((provider) => describe(provider, states.get(provider))) });
  };

const describe = (provider: string, state: SyncState | undefined) => ({
  provider,
  status: state?.status ?? 'never',
  mode: state?.mode ?? 'full',
  started_at: state?.started_at ?? null,
  finished_at: state?.finished_at ?? null,
  progress: { seen: state?.seen ?? 0, total: state?.total ?? null },
  added: state?.added ?? 0,
  updated: state?.updated ?? 0,
  removed: state?.removed ?? 0,
  rejected: state?.rejected ?? 0,
  error: state === undefined ? null : errorOf(state),
  next_run_at: state?.next_run_at ?? null,
});
