import { integer } from '#core/config/config.ts';

const MOST_MB = 100_000_000;

export const USERS_SETTINGS = {
  storage_mb: {
    free: integer('CAPSTAN_STORAGE_FREE_MB', 200, 1, MOST_MB, {
      description: 'Megabytes that an account of the tier free may store: tasks, traces, conversations and the rest.',
    }),
    casual: integer('CAPSTAN_STORAGE_CASUAL_MB', 1_000, 1, MOST_MB, {
      description: 'Megabytes that an account of the tier casual may store.',
    }),
    pro: integer('CAPSTAN_STORAGE_PRO_MB', 10_000, 1, MOST_MB, {
      description: 'Megabytes that an account of the tier pro may store.',
    }),
  },
} as const;
