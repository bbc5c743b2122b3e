import type { ProviderId } from '#catalog/items/kinds.ts';
import type { REGISTRY_SETTINGS } from '#catalog/items/settings.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Values } from '#core/config/config.ts';
import { newId } from '#core/ids.ts';
import type { Provider, Validators } from './provider.ts';
import { NO_COUNTS, type SyncState } from './sync-states.ts';

/** When a provider is due, and what its next run does. Pure. */

export interface SyncConfig {
  /** Which providers are synced. */
  providers: readonly ProviderId[];
  /** Replacements for the documented base URLs. */
  urls: Partial<Record<ProviderId, string>>;
  keys: Partial<Record<ProviderId, string>>;
  interval_ms: number;
  /** Interval of full runs for providers with incremental runs. */
  full_interval_ms: number;
  /** How details of single listings are fetched; missing for the defaults. */
  details?: DetailsConfig;
  /** Sent in the User-Agent. */
  public_url: string;
  version: string;
}

export interface DetailsConfig {
  /** Listings of each provider in the background; 0 for none. */
  per_minute: number;
  /** Of all stored documents. */
  max_bytes: number;
  /** Replaces the address of GitHub's raw files. */
  github_raw_url: string | null;
  /** Replaces the time between requests to one host of repositories, for tests. */
  host_interval_ms?: number;
}

/** The part of the sync configuration that comes from the settings. */
export const providersOf = (
  settings: Values<typeof REGISTRY_SETTINGS>,
): Omit<SyncConfig, 'public_url' | 'version'> => ({
  providers: settings.providers,
  urls: withoutNulls(settings.provider_urls),
  keys: withoutNulls(settings.provider_keys),
  interval_ms: settings.sync_interval_ms,
  full_interval_ms: settings.full_sync_interval_ms,
  details: {
    per_minute: settings.details_per_minute,
    max_bytes: settings.details_mb * 1_048_576,
    github_raw_url: settings.github_raw_url,
  },
});

const withoutNulls = <K extends string>(record: Record<K, string | null>): Partial<Record<K, string>> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)) as Partial<Record<K, string>>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An older cursor may have expired at its provider. */
const RESUME_WITHIN_MS = 6 * 3_600_000;
const FIRST_RETRY_MS = 30_000;
const LAST_RETRY_MS = 900_000;

export const isEnabled = (config: SyncConfig, id: ProviderId): boolean => config.providers.includes(id);

/**
 * Providers that need hundreds of requests per run are synced once a day. An interval under an hour is meant for private mirrors
 * and applies to them too.
 */
export const intervalOf = ({ interval_ms, full_interval_ms }: SyncConfig, { walked }: Provider): number =>
  walked === true && interval_ms >= HOUR_MS ? Math.max(interval_ms, full_interval_ms) : interval_ms;

/** Milliseconds since the epoch; 0 for a provider that was interrupted or never ran. */
export function dueAt(config: SyncConfig, provider: Provider, state: SyncState): number {
  const settled = state.status === 'succeeded' || state.status === 'partial';
  return settled && state.finished_at !== null ? Date.parse(state.finished_at) + intervalOf(config, provider) : 0;
}

/** The state of the run to start now: a new one, or the interrupted one at its cursor. */
export function planRun(
  config: SyncConfig,
  provider: Provider,
  state: SyncState,
  now_ms: number,
  order: { full: boolean },
): SyncState {
  const ageMs = now_ms - Date.parse(state.started_at ?? '1970-01-01T00:00:00Z');
  const interrupted = state.status === 'running' || (state.status === 'failed' && state.cursor !== null);
  if (interrupted && !(order.full && state.mode === 'incremental') && ageMs < RESUME_WITHIN_MS)
    return { ...state, ...RUNNING };
  return {
    ...state,
    ...RUNNING,
    mode: order.full || isFullDue(config, provider, state, now_ms) ? 'full' : 'incremental',
    run_id: newId(),
    started_at: isoTime(now_ms),
    cursor: null,
    max_watermark: null,
    ...NO_COUNTS,
  };
}

const RUNNING = { status: 'running', finished_at: null, next_run_at: null, error: null };

function isFullDue(config: SyncConfig, provider: Provider, state: SyncState, nowMs: number): boolean {
  if (!provider.incremental || state.watermark === null || state.last_full_at === null) return true;
  return nowMs - Date.parse(state.last_full_at) >= config.full_interval_ms;
}

/** Doubles from 30 s up to the interval, but is never less than the provider asked for. */
export function retryDelay(interval_ms: number, failures: number, retry_after_ms: number): number {
  const doubled = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 10), LAST_RETRY_MS, interval_ms);
  return Math.max(doubled, Math.min(retry_after_ms, DAY_MS));
}

/** Includes the program's version, because a new version may read the same document differently and has to fetch it again. */
export const packValidators = (config: SyncConfig, validators: Validators): string =>
  JSON.stringify({ ...validators, version: config.version });

export function unpackValidators(config: SyncConfig, packed: string): Validators {
  const { version, ...validators } = JSON.parse(packed) as Validators & { version?: string };
  return version === config.version ? validators : {};
}
