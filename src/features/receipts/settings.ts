import { duration } from '../../platform/config.ts';

const DAY_MS = 86_400_000;

export const RECEIPTS_SETTINGS = {
  intent_retention_ms: duration('CAPSTAN_INTENT_RETENTION', '400d', DAY_MS, {
    description:
      'How long what was signed before a run is kept once the run has its receipt, which names it by digest. Receipts and those of runs that never came back stay.',
  }),
} as const;
