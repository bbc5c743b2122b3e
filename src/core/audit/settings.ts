import { duration } from '#core/config/config.ts';

const DAY_MS = 86_400_000;

export const AUDIT_SETTINGS = {
  retention_ms: duration('CAPSTAN_AUDIT_RETENTION', '400d', 30 * DAY_MS, {
    description:
      'How long entries of the audit log are kept. That the chain of the rest is whole can be verified afterwards, too.',
  }),
} as const;
