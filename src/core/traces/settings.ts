import { duration, integer } from '#core/config/config.ts';

const HOUR_MS = 3_600_000;

export const TRACES_SETTINGS = {
  retention_ms: duration('CAPSTAN_TRACE_RETENTION', '30d', HOUR_MS, {
    description: 'Retention of traces. Receipts are kept; an expired trace can no longer be compared with its digest.',
  }),
  kb_per_hour: integer('CAPSTAN_TRACE_KB_PER_HOUR', 8_192, 64, 1_000_000, {
    description:
      'Span data that one account may store per hour, in kilobytes. Above it, inputs and outputs are ' +
      'truncated and marked in the trace.',
  }),
} as const;
