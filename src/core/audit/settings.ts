import { duration } from '#core/config/config.ts';

const DAY_MS = 86_400_000;

export const AUDIT_SETTINGS = {
  retention_ms: duration('CAPSTAN_AUDIT_RETENTION', '400d', 30 * DAY_MS, {
    description: 'Retention of audit log entries. The chain of the remaining entries can still be verified.',
  }),
} as const;
