import { TIER_NAMES } from '#accounts/quotas/tiers.ts';
import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { STORAGE_KINDS } from '#core/storage/charged.ts';
import { deleted } from './deleted.ts';
import { DisplayName } from './display-name.ts';

/** The part of the contract that is about accounts and how they are shown. */

const time = (description: string) => Type.String({ format: 'date-time', description });
const orNull = <const T extends Parameters<typeof Type.Array>[0]>(it: T, description: string) =>
  Type.Union([it, Type.Null()], { description });

const wallet = {
  address: Type.String({ description: 'In the one form of its type: EIP-55 for ethereum, base58 for solana.' }),
  type: Type.String(),
};
const publicFields = {
  id: Type.String({ format: 'uuid' }),
  display_name: Type.String(),
  wallet: orNull(
    Type.Object(wallet),
    'The wallet that was looked up. With an id: the only wallet of the account, null where it has none or several.',
  ),
  publisher: orNull(Type.Object({ id: Type.String(), name: Type.String() }), 'Whom they publish as, if anybody.'),
  created_at: time('When the account was made.'),
};
export const StorageUsed = Type.Object(
  {
    used_bytes: Type.Integer({ minimum: 0, description: 'Bytes that count towards the limit.' }),
    limit_bytes: Type.Integer({ minimum: 0, description: 'Bytes that the tier gives.' }),
    kinds: Type.Array(
      Type.Object({
        kind: Type.Enum([...STORAGE_KINDS]),
        used_bytes: Type.Integer({ minimum: 0 }),
        limit_bytes: orNull(
          Type.Integer({ minimum: 0 }),
          'Null: kept in any case, and not part of `used_bytes` above.',
        ),
      }),
    ),
  },
  { description: 'What the account stores. Over a limit, requests that store more get 429 `users.storage_full`.' },
);
/** Of the kinds some. */
export const STORAGE_EXAMPLE = {
  used_bytes: 1_606_342,
  limit_bytes: 200_000_000,
  kinds: [{ kind: 'tasks', used_bytes: 1_204_224, limit_bytes: 150_000_000 }],
};

export const PublicProfile = Type.Object(publicFields, { description: 'What everybody may know of a user.' });
export const WholeProfile = Type.Object(
  {
    ...publicFields,
    email: orNull(Type.String(), 'Of the email account.'),
    wallets: Type.Array(Type.Object({ ...wallet, linked_at: time('When it was linked.') })),
    google: orNull(Type.Object({ email: Type.String(), linked_at: time('When it was linked.') }), 'Google account.'),
    identities: Type.Array(
      Type.Object({
        method: Type.Enum(['wallet', 'email', 'google']),
        name: Type.String({ description: 'Address of the wallet, or email address.' }),
        linked_at: time('When it was linked.'),
      }),
      { description: 'Every way in.' },
    ),
    tier: Type.Enum([...TIER_NAMES]),
    quota: Type.Object({
      limit: orNull(Type.Integer({ minimum: 0 }), 'LLM requests a UTC day; null is unlimited.'),
      used: Type.Integer({ minimum: 0, description: 'Of them today.' }),
      resets_at: time('The next midnight UTC.'),
    }),
    storage: StorageUsed,
    is_operator: Type.Boolean({ description: 'May operate the service.' }),
    updated_at: time('Last change of the account itself.'),
  },
  { description: "One's own account." },
);

const ID = '0197a000-0000-7000-8000-000000000001';
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const MADE = '2026-04-14T00:00:00.000Z';
const PUBLIC_EXAMPLE = {
  id: ID,
  display_name: 'Ada',
  wallet: { address: ADDRESS, type: 'ethereum' },
  publisher: null,
  created_at: MADE,
};
const WHOLE_EXAMPLE = {
  ...PUBLIC_EXAMPLE,
  email: 'ada@example.com',
  wallets: [{ address: ADDRESS, type: 'ethereum', linked_at: MADE }],
  google: null,
  identities: [
    { method: 'wallet', name: ADDRESS, linked_at: MADE },
    { method: 'email', name: 'ada@example.com', linked_at: MADE },
  ],
  tier: 'free',
  quota: { limit: 100, used: 3, resets_at: '2026-04-15T00:00:00.000Z' },
  storage: STORAGE_EXAMPLE,
  is_operator: false,
  updated_at: MADE,
};

const Params = Type.Object({ id: Type.String({ format: 'uuid', description: 'User id.' }) });
const EXAMPLES = { id: ID };
const whole = (description: string) => ({
  description,
  content: { 'application/json': { schema: WholeProfile, example: WHOLE_EXAMPLE } },
});

const EXPORT_EXAMPLE = {
  exported_at: MADE,
  profile: WHOLE_EXAMPLE,
  api_keys: [],
  quota_days: [{ day: '2026-04-14', used: 3 }],
  audit: [],
  sign_ins: [],
};

export const usersContract = {
  lookUp: operation({
    id: 'accounts.users.lookUp',
    method: 'POST',
    path: '/api/users/lookup',
    summary: 'Look up a user by wallet',
    description: 'The public profile of whoever linked this wallet. The address may be in any form its type allows.',
    access: 'sensitive',
    scope: 'read',
    body: Type.Object(
      {
        wallet_address: Type.String({ minLength: 1, maxLength: 256 }),
        wallet_type: Type.String({ minLength: 1, maxLength: 32, description: 'Such as `ethereum` or `solana`.' }),
      },
      { additionalProperties: false },
    ),
    body_example: { wallet_address: ADDRESS, wallet_type: 'ethereum' },
    answers: {
      200: {
        description: 'The user.',
        content: { 'application/json': { schema: PublicProfile, example: PUBLIC_EXAMPLE } },
      },
    },
    problems: ['auth.wallet_address_malformed', 'users.not_found'],
  }),
  get: operation({
    id: 'accounts.users.get',
    method: 'GET',
    path: '/api/users/{id}',
    summary: 'Get a user',
    description:
      "One's own profile is whole; of others there is the public one. An operator sees whole profiles, and each look " +
      'is written to the audit log.',
    access: 'sensitive',
    params: Params,
    examples: EXAMPLES,
    answers: {
      200: {
        description: 'The user.',
        content: {
          'application/json': { schema: Type.Union([WholeProfile, PublicProfile]), example: WHOLE_EXAMPLE },
        },
      },
    },
    problems: ['users.not_found'],
  }),
  update: operation({
    id: 'accounts.users.update',
    method: 'PATCH',
    path: '/api/users/{id}',
    summary: "Change one's own profile",
    description: 'Sets the name that others see. Answers the whole profile.',
    access: 'sensitive',
    own: 'id',
    params: Params,
    examples: EXAMPLES,
    body: Type.Object(
      {
        display_name: DisplayName,
      },
      { additionalProperties: false },
    ),
    body_example: { display_name: 'Ada' },
    answers: { 200: whole('The account as it is now.') },
    problems: ['users.not_found'],
  }),
  delete: operation({
    id: 'accounts.users.delete',
    method: 'DELETE',
    path: '/api/users/{id}',
    summary: "Delete one's own account",
    description:
      'Deletes the account and everything held on it: identities, sign-ins, API keys, and what other parts keep for it. ' +
      'Its tokens and keys stop at once. This cannot be undone; `GET /api/users/{id}/export` hands everything out first.',
    access: 'sensitive',
    own: 'id',
    params: Params,
    examples: EXAMPLES,
    answers: { 200: deleted('The account is gone.') },
    problems: ['users.not_found'],
  }),
  export: operation({
    id: 'accounts.users.export',
    method: 'GET',
    path: '/api/users/{id}/export',
    at_once: { per_network: 2, in_all: 8 },
    summary: "Export everything held on one's own account",
    description:
      'One JSON document with a member for each kind of thing that is kept on the account. Passwords, keys and their ' +
      'hashes are not in it. Operators who looked at the account stand in `audit` as `operator`.',
    access: 'sensitive',
    own: 'id',
    params: Params,
    examples: EXAMPLES,
    answers: {
      200: {
        description: 'Everything.',
        content: {
          'application/json': {
            schema: Type.Object(
              {
                exported_at: time('When it was read.'),
                profile: WholeProfile,
                api_keys: Type.Array(Type.Object({}, { additionalProperties: true })),
                quota_days: Type.Array(Type.Object({ day: Type.String(), used: Type.Integer() })),
                audit: Type.Array(Type.Object({}, { additionalProperties: true })),
              },
              { additionalProperties: true },
            ),
            example: EXPORT_EXAMPLE,
          },
        },
      },
    },
    problems: ['users.not_found'],
  }),
};
