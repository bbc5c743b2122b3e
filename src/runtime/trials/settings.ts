import { duration, integer } from '#core/config/config.ts';

export const TRIAL_SETTINGS = {
  per_address: integer('CAPSTAN_TRIALS_PER_ADDRESS', 5, 0, 10_000, {
    description:
      'How many runs without an account one address (IPv4, or 64 bits of IPv6) may start in a UTC day. 0 turns them off.',
  }),
  per_day: integer('CAPSTAN_TRIALS_PER_DAY', 500, 0, 1_000_000, {
    description:
      'How many runs without an account everyone together may start in a UTC day; one network gets at most a part. 0 turns them off.',
  }),
  kept_ms: duration('CAPSTAN_TRIAL_RETENTION', '7d', 3_600_000, {
    description: 'How long a run without an account is kept after it has ended. Its receipt stays.',
  }),
} as const;
