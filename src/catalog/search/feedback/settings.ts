import { choice, duration } from '#core/config/config.ts';

export const FEEDBACK_SETTINGS = {
  mode: choice('CAPSTAN_SEARCH_FEEDBACK', 'on', ['on', 'off'], {
    description:
      'Counts what is searched for and which results are opened, installed or run, for `capstand audit search`. No person or ' +
      'address is kept, and no result is ordered by it. `off` counts nothing.',
  }),
  kept_ms: duration('CAPSTAN_SEARCH_FEEDBACK_RETENTION', '90d', 86_400_000, {
    description: 'Retention of these counts.',
  }),
} as const;
