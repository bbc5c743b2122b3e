import { duration, integer } from '#core/config/config.ts';

const HOUR_MS = 3_600_000;

export const TRACES_SETTINGS = {
  retention_ms: duration('CAPSTAN_TRACE_RETENTION', '30d', HOUR_MS, {
    description:
      'How long traces are kept. Receipts stay; a trace that is gone can no longer be held against its digest.',
  }),
  kb_per_hour: integer('CAPSTAN_TRACE_KB_PER_HOUR', 8_192, 64, 1_000_000, {
    description:
      'Kilobytes of spans that one account may store in an hour. Over that, inputs and outputs are cut and marked in the trace.',
  }),
} as const;
