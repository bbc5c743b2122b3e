import type { Kysely } from 'kysely';
import type { ProviderId } from '#catalog/items/kinds.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { syncContract } from './contract.ts';
import type { SyncEngine } from './engine.ts';
import { orderSync } from './order-sync.ts';
import { readSyncState } from './sync-states.ts';
import { providerOff, syncStatusOf } from './sync-status.ts';

interface StartDeps {
  db: Kysely<Schema>;
  clock: Clock;
  enabled: readonly ProviderId[];
  sync: Pick<SyncEngine, 'syncNow'>;
}

/** POST /api/operator/providers/{provider}/syncs */
export const startSync =
  ({ db, clock, enabled, sync }: StartDeps): Handler<typeof syncContract.start> =>
  async ({ params: { provider }, body: { mode, accept_fewer = false, reason }, caller, origin }) => {
    if (!enabled.includes(provider)) throw providerOff();
    const by = { actor: caller.user_id, origin };
    await orderSync({ db, clock, sync }, by, provider, { full: mode === 'full', accept_fewer, reason });
    return json(syncStatusOf(provider, await readSyncState(db, provider), enabled), { status: 202 });
  };
