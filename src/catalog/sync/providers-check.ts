import type { Kysely } from 'kysely';
import { keyVariable } from '#catalog/items/settings.ts';
import { PROVIDER_DOORS } from '#catalog/providers/all.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Check, type Finding, ok, warn } from '#core/doctor/check.ts';
import type { Provider } from './provider.ts';
import type { SyncConfig } from './sync-plan.ts';
import { errorOf, readSyncStates, type SyncState } from './sync-states.ts';

/** How each provider's last sync went, as the database has it. */

export interface ProvidersCheckDeps {
  db: Kysely<Schema>;
  clock: Clock;
  config: Pick<SyncConfig, 'providers' | 'keys' | 'full_interval_ms'>;
}

export const providersCheck = ({ db, clock, config }: ProvidersCheckDeps): Check => ({
  name: 'providers',
  look: async () => {
    const states = new Map((await readSyncStates(db)).map((syncState) => [syncState.provider_id, syncState]));
    const [on, off] = [true, false].map((is) =>
      PROVIDER_DOORS.filter(({ id }) => config.providers.includes(id) === is),
    );
    const found = (on as Provider[]).map((door) => lookAt(door, states.get(door.id), config, clock.now()));
    if (off?.length === 0) return found;
    return [...found, ok(`Off by CAPSTAN_PROVIDERS: ${off?.map(({ id }) => id).join(', ')}.`)];
  },
});

function lookAt(
  { id, title, key }: Provider,
  state: SyncState | undefined,
  { keys, full_interval_ms }: ProvidersCheckDeps['config'],
  now_ms: number,
): Finding {
  if (key === 'required' && keys[id] === undefined)
    return warn(
      `${title} is not synced: it wants a key.`,
      `${keyVariable(id)}=…, or leave ${id} out of CAPSTAN_PROVIDERS`,
    );
  const again = `capstand sync ${id}`;
  if (state === undefined || state.status === 'never')
    return warn(`${title} was never synced.`, `Start the service, or ${again}`);
  const { last_success_at, failures, status } = state;
  const last = last_success_at === null ? 'never before' : `last at ${last_success_at}`;
  const said = errorOf(state)?.detail ?? '';
  if (status === 'disabled')
    return warn(`${title} is disabled. ${said}`, `${keyVariable(id)}=…, or leave ${id} out of CAPSTAN_PROVIDERS`);
  if (status === 'failed') return warn(`${title} has failed ${failures} times in a row, done ${last}. ${said}`, again);
  if (status === 'partial') return warn(`${title} came in part only, done ${last}. ${said}`, again);
  // Every whole walk is due in this time, and the next one was missed as well.
  const is_stale = last_success_at !== null && now_ms - Date.parse(last_success_at) > 2 * full_interval_ms;
  if (is_stale) return warn(`${title} was synced ${last}.`, `Start the service, or ${again}`);
  return ok(
    status === 'running' ? `${title} is being synced, done ${last}.` : `${title} synced ${last}, ${state.seen} seen.`,
  );
}
