import { address, duration, list, optional } from '#core/config/config.ts';
import { PROVIDERS, type ProviderId } from './kinds.ts';

const variable = (id: ProviderId, what: 'URL' | 'KEY'): string =>
  `CAPSTAN_PROVIDER_${id.toUpperCase().replaceAll('-', '_')}_${what}`;

/** The environment variable that holds a provider's API key. */
export const keyVariable = (id: ProviderId): string => variable(id, 'KEY');

/** The environment variable that replaces a provider's base URL. */
export const urlVariable = (id: ProviderId): string => variable(id, 'URL');

const perProvider = <T>(make: (id: ProviderId) => T): Record<ProviderId, T> =>
  Object.fromEntries(PROVIDERS.map((id) => [id, make(id)])) as Record<ProviderId, T>;

export const REGISTRY_SETTINGS = {
  providers: list('CAPSTAN_PROVIDERS', PROVIDERS.join(','), PROVIDERS, {
    description: 'Providers to sync.',
  }),
  sync_interval_ms: duration('CAPSTAN_SYNC_INTERVAL', '1h', 1_000, {
    description:
      'Interval of incremental syncs. Smithery and Glama support full syncs only, so this applies to them only if it is under 1h.',
  }),
  full_sync_interval_ms: duration('CAPSTAN_FULL_SYNC_INTERVAL', '1d', 1_000, {
    description: 'Interval of full syncs. A listing that two full syncs in a row miss counts as removed.',
  }),
  provider_urls: perProvider((id) =>
    address(variable(id, 'URL'), { description: `Replaces the base URL of ${id}; paths stay the same.` }),
  ),
  provider_keys: perProvider((id) =>
    optional(variable(id, 'KEY'), { description: `API key for ${id}.`, secret: true }),
  ),
} as const;
