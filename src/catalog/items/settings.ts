import { address, duration, list, optional } from '#core/config/config.ts';
import { PROVIDERS, type ProviderId } from './kinds.ts';

const variable = (id: ProviderId, what: 'URL' | 'KEY'): string =>
  `CAPSTAN_PROVIDER_${id.toUpperCase().replaceAll('-', '_')}_${what}`;

/** The name of the variable that holds a provider's key, for messages that ask for it. */
export const keyVariable = (id: ProviderId): string => variable(id, 'KEY');

/** The name of the variable that replaces a provider's base URL. */
export const urlVariable = (id: ProviderId): string => variable(id, 'URL');

const perProvider = <T>(make: (id: ProviderId) => T): Record<ProviderId, T> =>
  Object.fromEntries(PROVIDERS.map((id) => [id, make(id)])) as Record<ProviderId, T>;

export const REGISTRY_SETTINGS = {
  providers: list('CAPSTAN_PROVIDERS', PROVIDERS.join(','), PROVIDERS, {
    description: 'The providers whose listings are synced.',
  }),
  sync_interval_ms: duration('CAPSTAN_SYNC_INTERVAL', '1h', 1_000, {
    description:
      'How often each provider is asked for changes; for Smithery and Glama, which can only be walked whole, this holds when it is under 1h.',
  }),
  full_sync_interval_ms: duration('CAPSTAN_FULL_SYNC_INTERVAL', '1d', 1_000, {
    description: 'How often a provider is walked whole. Listings that two whole walks miss are taken for removed.',
  }),
  provider_urls: perProvider((id) =>
    address(variable(id, 'URL'), { description: `Replaces the documented base URL of ${id}; the paths stay.` }),
  ),
  provider_keys: perProvider((id) =>
    optional(variable(id, 'KEY'), { description: `Key for the API of ${id}.`, secret: true }),
  ),
} as const;
