import { integer } from '#core/config/config.ts';

export const HARNESSES_SETTINGS = {
  per_user: integer('CAPSTAN_HARNESSES_PER_USER', 100, 1, 10_000, {
    description: 'How many harnesses one user may have.',
  }),
  memories_per_user: integer('CAPSTAN_MEMORIES_PER_USER', 50_000, 1, 10_000_000, {
    description: 'How many memories one user may have in all harnesses, deleted ones with their history too.',
  }),
  bytes_per_user: integer('CAPSTAN_HARNESS_BYTES', 268_435_456, 1, 1_000_000_000_000, {
    description:
      'How many bytes the harnesses of one user may take: files, memories and context, every version of them.',
  }),
} as const;
