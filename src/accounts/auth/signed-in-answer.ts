import { TIER_NAMES } from '#accounts/quotas/tiers.ts';
import type { Answer } from '#core/http/operation.ts';
import { jsonAnswer } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** `SignedIn` in the contract: the response of every sign-in method. */
export const SignedInSchema = Type.Object({
  access_token: Type.String({ description: 'Send it as `Authorization: Bearer <access_token>`.' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ minimum: 0, description: 'Seconds.' }),
  expires_at: Type.String({ format: 'date-time' }),
  user: Type.Object({
    id: Type.String(),
    display_name: Type.String({ description: 'Empty if none was sent.' }),
    tier: Type.Enum([...TIER_NAMES]),
    created_at: Type.String({ format: 'date-time' }),
  }),
});

export const SIGNED_IN_EXAMPLE = {
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTlhOGMxZSJ9.c2lnbmF0dXJl',
  token_type: 'Bearer',
  expires_in: 86_400,
  expires_at: '2026-04-15T10:00:00.000Z',
  user: {
    id: '019a8c1e-7f00-7000-8000-3b1f6f4f9a10',
    display_name: 'Ada',
    tier: 'free',
    created_at: '2026-04-14T10:00:00.000Z',
  },
};

const WithDeviceSchema = Type.Object({
  ...SignedInSchema.properties,
  device_token: Type.Optional(
    Type.String({ description: 'Returned once if `remember_device` was set. Send it with your next login.' }),
  ),
});

/** `with_device`: the device can be remembered. */
export const signedInAnswer = (description: string, { with_device = false } = {}): Answer =>
  jsonAnswer(description, with_device ? WithDeviceSchema : SignedInSchema, SIGNED_IN_EXAMPLE);
