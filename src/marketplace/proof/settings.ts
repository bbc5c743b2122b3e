import { choice, integer } from '#core/config/config.ts';

export const PROOF_SETTINGS = {
  verify: choice('CAPSTAN_VERIFY', 'off', ['off', 'on'], {
    description:
      'Whether listings are run by the service itself, with inputs of its own, to see whether they give the same twice.',
  }),
  verify_per_hour: integer('CAPSTAN_VERIFY_PER_HOUR', 20, 1, 3_600, {
    description: 'How many listings are run an hour for that, in all processes together.',
  }),
} as const;
