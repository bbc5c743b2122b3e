import { duration } from '../../platform/config.ts';

const HOUR_MS = 3_600_000;

export const TRACES_SETTINGS = {
  retention_ms: duration('CAPSTAN_TRACE_RETENTION', '30d', HOUR_MS, {
    description:
      'How long traces are kept. Receipts stay; a trace that is gone can no longer be held against its digest.',
  }),
} as const;
