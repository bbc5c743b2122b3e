import { choice, hosts, integer } from '#core/config/config.ts';

export const PROBES_SETTINGS = {
  probe: choice('CAPSTAN_PROBE', 'off', ['off', 'on'], {
    description:
      'Whether the servers that listings name are visited, each host once a day, to see whether they answer.',
  }),
  skip: hosts('CAPSTAN_PROBE_SKIP', {
    description: 'Hosts that are never visited, with all names below them.',
  }),
  concurrency: integer('CAPSTAN_PROBE_CONCURRENCY', 4, 1, 64, {
    description: 'How many servers one process visits at once.',
  }),
} as const;
