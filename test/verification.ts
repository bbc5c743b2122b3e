import type { VerificationSummary } from '#catalog/items/verification.ts';

/** How far something was proved, for tests that care for a few members only. */
export const verification = (more: Partial<VerificationSummary> = {}): VerificationSummary => ({
  level: 'listed',
  verified: false,
  looked_at: ['record'],
  since: null,
  expires_at: null,
  checked_at: '2026-04-14T06:00:00.000Z',
  findings: [],
  upstream: [],
  ...more,
});
