import { choice, integer } from '#core/config/config.ts';

export const PROOF_SETTINGS = {
  verify: choice('CAPSTAN_VERIFY', 'off', ['off', 'on'], {
    description: 'Whether the service runs listings with its own test inputs to check that results are reproducible.',
  }),
  verify_per_hour: integer('CAPSTAN_VERIFY_PER_HOUR', 20, 1, 3_600, {
    description: 'Maximum check runs per hour, over all processes.',
  }),
} as const;
