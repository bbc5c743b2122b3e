import { integer } from '#core/config/config.ts';

const MOST_MB = 100_000_000;

export const USERS_SETTINGS = {
  storage_mb: {
    free: integer('CAPSTAN_STORAGE_FREE_MB', 200, 1, MOST_MB, {
      description: 'Storage limit of a free account in megabytes, for tasks, traces, conversations and all other data.',
    }),
    casual: integer('CAPSTAN_STORAGE_CASUAL_MB', 1_000, 1, MOST_MB, {
      description: 'Storage limit of a casual account in megabytes.',
    }),
    pro: integer('CAPSTAN_STORAGE_PRO_MB', 10_000, 1, MOST_MB, {
      description: 'Storage limit of a pro account in megabytes.',
    }),
  },
} as const;
