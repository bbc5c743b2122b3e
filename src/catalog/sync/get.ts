import type { Kysely } from 'kysely';
import { catalogProblem } from '#catalog/errors.ts';
import { PROVIDERS, type ProviderId } from '#catalog/items/kinds.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { syncContract } from './contract.ts';
import { errorOf, isLeftOut, readSyncStates, type SyncState } from './sync-states.ts';

/** GET /api/marketplace/registry/sync */
export const getSync =
  ({ db, enabled }: { db: Kysely<Schema>; enabled: readonly ProviderId[] }): Handler<typeof syncContract.get> =>
  async () => {
    const states = new Map((await readSyncStates(db)).map((state) => [state.provider_id, state]));
    const providers = PROVIDERS.map((provider) => {
      const state = states.get(provider);
      const status = describe(provider, state);
      return isLeftOut(provider, state, enabled) ? switchedOff(status) : status;
    });
    return json({ providers });
  };

function switchedOff(status: ReturnType<typeof describe>) {
  const { code, message: detail } = catalogProblem(
    'registry.provider_failed',
    'Turned off in the settings of this service. Its saved listings are kept.',
    { reason: 'disabled' },
  );
  return { ...status, status: 'disabled', error: { code, detail }, next_run_at: null };
}

const describe = (provider: ProviderId, state: SyncState | undefined) => ({
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
