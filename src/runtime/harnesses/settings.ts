import { integer } from '#core/config/config.ts';

export const HARNESSES_SETTINGS = {
  per_user: integer('CAPSTAN_HARNESSES_PER_USER', 100, 1, 10_000, {
    description: 'Maximum harnesses per user.',
  }),
  memories_per_user: integer('CAPSTAN_MEMORIES_PER_USER', 50_000, 1, 10_000_000, {
    description: 'Maximum memories per user in all harnesses, including deleted ones with their history.',
  }),
  bytes_per_user: integer('CAPSTAN_HARNESS_BYTES', 268_435_456, 1, 1_000_000_000_000, {
    description: 'Maximum bytes of the harnesses of one user: files, memories and context, in all versions.',
  }),
} as const;
