import { choice, hosts, integer } from '#core/config/config.ts';

export const PROBES_SETTINGS = {
  probe: choice('CAPSTAN_PROBE', 'off', ['off', 'on'], {
    description:
      'Whether listed servers are probed, once a day per host and when a reader asks, to find out whether they respond and with ' +
      'which tools.',
  }),
  skip: hosts('CAPSTAN_PROBE_SKIP', {
    description: 'Hosts that are never probed, including their subdomains.',
  }),
  packages: choice('CAPSTAN_PROBE_PACKAGES', 'off', ['off', 'on'], {
    description:
      'Whether packages of listings are started in boxes, without network and secrets, to find out whether they run here and with ' +
      'which tools. Needs CAPSTAN_RUNTIME.',
  }),
  packages_per_day: integer('CAPSTAN_PROBE_PACKAGES_PER_DAY', 1_000, 1, 1_000_000, {
    description: 'Maximum number of packages that are started for probes per day, evenly spread over it.',
  }),
  packages_concurrency: integer('CAPSTAN_PROBE_PACKAGES_CONCURRENCY', 1, 1, 64, {
    description: 'Maximum number of packages that are started for probes at once, by all processes together.',
  }),
  concurrency: integer('CAPSTAN_PROBE_CONCURRENCY', 4, 1, 64, {
    description: 'Maximum number of concurrent probes per process.',
  }),
} as const;
