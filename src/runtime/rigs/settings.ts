import { integer } from '#core/config/config.ts';

export const RIGS_SETTINGS = {
  rigs_per_user: integer('CAPSTAN_RIGS_PER_USER', 100, 1, 10_000, {
    description: 'How many rigs one user may have; each may have 200 versions.',
  }),
} as const;
