import { address, duration, integer, list, optional } from '#core/config/config.ts';
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
  details_per_minute: integer('CAPSTAN_DETAILS_PER_MINUTE', 30, 0, 600, {
    description:
      'Listings per provider and minute whose details (README, SKILL.md, files, tools) are fetched in the background, ' +
      'within the rate limit of the provider. 0 fetches them only when a listing is opened or used.',
  }),
  details_mb: integer('CAPSTAN_DETAILS_MB', 2_048, 1, 1_000_000, {
    description: 'Limit for the stored documents of listings; half of it for one provider.',
  }),
  github_raw_url: address('CAPSTAN_GITHUB_RAW_URL', {
    description: 'Replaces https://raw.githubusercontent.com as the source of READMEs and licenses.',
  }),
  provider_urls: perProvider((id) =>
    address(variable(id, 'URL'), { description: `Replaces the base URL of ${id}; paths stay the same.` }),
  ),
  provider_keys: perProvider((id) =>
    optional(variable(id, 'KEY'), { description: `API key for ${id}.`, secret: true }),
  ),
} as const;
