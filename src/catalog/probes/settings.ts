import { choice, hosts, integer } from '#core/config/config.ts';

export const PROBES_SETTINGS = {
  probe: choice('CAPSTAN_PROBE', 'off', ['off', 'on'], {
    description:
      'Whether listed servers are probed, once a day per host, to find out whether they respond and with which tools.',
  }),
  skip: hosts('CAPSTAN_PROBE_SKIP', {
    description: 'Hosts that are never probed, including their subdomains.',
  }),
  concurrency: integer('CAPSTAN_PROBE_CONCURRENCY', 4, 1, 64, {
    description: 'Maximum number of concurrent probes per process.',
  }),
} as const;
