import type { Kysely } from 'kysely';
import { keyVariable } from '#catalog/items/settings.ts';
import { ALL_PROVIDERS } from '#catalog/providers/all.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Check, type Finding, ok, warn } from '#core/doctor/check.ts';
import type { Provider } from './provider.ts';
import type { SyncConfig } from './sync-plan.ts';
import { errorOf, readSyncStates, type SyncState } from './sync-states.ts';

/** Reports the last sync of each provider from the database. */

interface ProvidersCheckDeps {
  db: Kysely<Schema>;
  clock: Clock;
  config: Pick<SyncConfig, 'providers' | 'keys' | 'full_interval_ms'>;
}

export const providersCheck = ({ db, clock, config }: ProvidersCheckDeps): Check => ({
  name: 'providers',
  run: async () => {
    const states = new Map((await readSyncStates(db)).map((syncState) => [syncState.provider_id, syncState]));
    const [on, off] = [true, false].map((is) => ALL_PROVIDERS.filter(({ id }) => config.providers.includes(id) === is));
    const found = (on as Provider[]).map((provider) =>
      findingFor(provider, states.get(provider.id), config, clock.now()),
    );
    if (off?.length === 0) return found;
    return [...found, ok(`Excluded by CAPSTAN_PROVIDERS: ${off?.map(({ id }) => id).join(', ')}.`)];
  },
});

function findingFor(
  { id, title, key }: Provider,
  state: SyncState | undefined,
  { keys, full_interval_ms }: ProvidersCheckDeps['config'],
  nowMs: number,
): Finding {
  if (key === 'required' && keys[id] === undefined)
    return warn(
      `${title} is not synced: an API key is required.`,
      `set ${keyVariable(id)}, or remove ${id} from CAPSTAN_PROVIDERS`,
    );
  const again = `capstand sync ${id}`;
  if (state === undefined || state.status === 'never')
    return warn(`${title} was never synced.`, `start the service, or run ${again}`);
  const { last_success_at, failures, status } = state;
  const last = last_success_at === null ? 'never synced' : `last synced ${last_success_at}`;
  const detail = errorOf(state)?.detail ?? '';
  if (status === 'disabled')
    return warn(`${title} is disabled. ${detail}`, `set ${keyVariable(id)}, or remove ${id} from CAPSTAN_PROVIDERS`);
  if (status === 'failed') return warn(`${title} has failed ${failures} times in a row; ${last}. ${detail}`, again);
  if (status === 'partial') return warn(`${title} was synced partially; ${last}. ${detail}`, again);
  // A full run is due in each interval; two were missed.
  const isStale = last_success_at !== null && nowMs - Date.parse(last_success_at) > 2 * full_interval_ms;
  if (isStale) return warn(`${title} is outdated: ${last}.`, `start the service, or run ${again}`);
  return ok(status === 'running' ? `${title} is being synced; ${last}.` : `${title}: ${last}, ${state.seen} listings.`);
}
