import type { Static } from 'typebox';
import { TIER_NAMES } from '#accounts/quotas/tiers.ts';
import { Type } from '#core/json-schema/type.ts';
import type { User } from './users.ts';

/** An account as operators see it in lists: without addresses, which their signature shows one by one. */

const timeOrNull = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

export const AccountRow = Type.Object({
  id: Type.String(),
  display_name: Type.String({ description: 'Untrusted text.' }),
  tier: Type.Enum([...TIER_NAMES]),
  is_operator: Type.Boolean(),
  is_proven: Type.Boolean({ description: 'False while a new account must still verify itself.' }),
  suspended_at: timeOrNull,
  suspended_reason: Type.String({ description: 'As its owner reads it. Empty if it is not suspended.' }),
  created_at: Type.String({ format: 'date-time' }),
});

export const ACCOUNT_EXAMPLE: Static<typeof AccountRow> = {
  id: '0197a000-0000-7000-8000-000000000001',
  display_name: 'Ada',
  tier: 'free',
  is_operator: false,
  is_proven: true,
  suspended_at: null,
  suspended_reason: '',
  created_at: '2026-04-14T00:00:00.000Z',
};

export const accountRow = (user: User): Static<typeof AccountRow> => ({
  id: user.id,
  display_name: user.display_name,
  tier: user.tier,
  is_operator: user.is_operator === 1,
  is_proven: user.unproven_network === null || user.tier !== 'free',
  suspended_at: user.suspended_at,
  suspended_reason: user.suspended_reason,
  created_at: user.created_at,
});
