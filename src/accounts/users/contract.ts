import { TIER_NAMES } from '#accounts/quotas/tiers.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { STORAGE_KINDS } from '#core/storage/charged.ts';
import { operatingContract } from './contract-operating.ts';
import { deleted } from './deleted.ts';
import { DisplayName } from './display-name.ts';

/** The operations of accounts and profiles. */

const time = (description: string) => Type.String({ format: 'date-time', description });
const orNull = <const T extends Parameters<typeof Type.Array>[0]>(value: T, description: string) =>
  Type.Union([value, Type.Null()], { description });

const wallet = {
  address: Type.String({ description: 'Canonical form: EIP-55 for ethereum, base58 for solana.' }),
  type: Type.String(),
};
const publicFields = {
  id: Type.String({ format: 'uuid' }),
  display_name: Type.String(),
  wallet: orNull(
    Type.Object(wallet),
    "The wallet that was looked up. In a lookup by id: the account's only wallet, or null if it has none " +
      'or several.',
  ),
  publisher: orNull(Type.Object({ id: Type.String(), name: Type.String() }), "The user's publisher name, or null."),
  created_at: time('When the account was created.'),
};
export const StorageUsed = Type.Object(
  {
    used_bytes: Type.Integer({ minimum: 0, description: 'Bytes used.' }),
    limit_bytes: Type.Integer({ minimum: 0, description: 'Limit in bytes for the tier.' }),
    kinds: Type.Array(
      Type.Object({
        kind: Type.Enum([...STORAGE_KINDS]),
        used_bytes: Type.Integer({ minimum: 0 }),
        limit_bytes: orNull(Type.Integer({ minimum: 0 }), 'Null: unlimited and not counted in `used_bytes`.'),
      }),
    ),
  },
  { description: 'Storage used by the account. Requests that would exceed a limit return 429 `users.quota_exceeded`.' },
);
/** Some of the kinds. */
export const STORAGE_EXAMPLE = {
  used_bytes: 1_606_342,
  limit_bytes: 200_000_000,
  kinds: [{ kind: 'tasks', used_bytes: 1_204_224, limit_bytes: 150_000_000 }],
};

export const PublicProfile = Type.Object(publicFields, { description: 'Public profile of a user.' });
export const WholeProfile = Type.Object(
  {
    ...publicFields,
    email: orNull(Type.String(), 'Verified email address.'),
    wallets: Type.Array(Type.Object({ ...wallet, linked_at: time('When it was linked.') })),
    google: orNull(Type.Object({ email: Type.String(), linked_at: time('When it was linked.') }), 'Google account.'),
    identities: Type.Array(
      Type.Object({
        method: Type.Enum(['wallet', 'email', 'google']),
        name: Type.String({ description: 'Wallet address or email address.' }),
        linked_at: time('When it was linked.'),
      }),
      { description: 'Sign-in methods of the account.' },
    ),
    tier: Type.Enum([...TIER_NAMES]),
    quota: Type.Object({
      limit: orNull(Type.Integer({ minimum: 0 }), 'LLM requests per UTC day; null means unlimited.'),
      used: Type.Integer({ minimum: 0, description: 'Requests used today.' }),
      resets_at: time('Next midnight UTC.'),
    }),
    storage: StorageUsed,
    is_operator: Type.Boolean({ description: 'Whether the user is an operator of the service.' }),
    updated_at: time('When the account was last changed.'),
  },
  { description: 'Full profile of your account.' },
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
const whole = (description: string) => jsonAnswer(description, WholeProfile, WHOLE_EXAMPLE);

const EXPORT_EXAMPLE = {
  exported_at: MADE,
  profile: WHOLE_EXAMPLE,
  api_keys: [],
  quota_days: [{ day: '2026-04-14', used: 3 }],
  audit: [],
  sign_ins: [],
};

export const usersContract = {
  ...operatingContract,
  lookUp: operation({
    id: 'accounts.users.lookUp',
    method: 'POST',
    path: '/api/users/lookup',
    summary: 'Look up a user by wallet',
    description:
      'Returns the public profile of the user who linked this wallet. Any valid form of the address is accepted.',
    access: 'sensitive',
    confirm_window: 'profile',
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
      200: jsonAnswer('The user.', PublicProfile, PUBLIC_EXAMPLE),
    },
    problems: ['http.invalid', 'users.not_found'],
  }),
  get: operation({
    id: 'accounts.users.get',
    method: 'GET',
    path: '/api/users/{id}',
    summary: 'Get a user',
    description:
      'Returns the full profile for your own account and the public profile for other users. Operators get ' +
      'full profiles, and each access is recorded in the audit log.',
    access: 'sensitive',
    confirm_window: 'profile',
    params: Params,
    examples: EXAMPLES,
    answers: {
      200: jsonAnswer('The user.', Type.Union([WholeProfile, PublicProfile]), WHOLE_EXAMPLE),
    },
    problems: ['users.not_found'],
  }),
  update: operation({
    id: 'accounts.users.update',
    method: 'PATCH',
    path: '/api/users/{id}',
    summary: 'Update your profile',
    description: 'Sets your display name and returns the full profile.',
    access: 'sensitive',
    signs: ['display_name'],
    confirm_window: 'profile',
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
    answers: { 200: whole('The updated account.') },
    problems: ['users.not_found'],
  }),
  delete: operation({
    id: 'accounts.users.delete',
    method: 'DELETE',
    path: '/api/users/{id}',
    summary: 'Delete your account',
    description:
      'Deletes the account with all its data: identities, sessions, API keys and stored content. Its ' +
      'tokens and keys stop working immediately. This cannot be undone. To export the data first, use `GET ' +
      '/api/users/{id}/export`.',
    access: 'sensitive',
    for_suspended: true,
    own: 'id',
    params: Params,
    examples: EXAMPLES,
    answers: { 200: deleted('Account deleted.') },
    problems: ['users.not_found'],
  }),
  export: operation({
    id: 'accounts.users.export',
    method: 'GET',
    path: '/api/users/{id}/export',
    at_once: { per_network: 2, in_all: 8 },
    summary: 'Export your data',
    description:
      'Returns one JSON document with a member for each kind of data stored for the account. Passwords, ' +
      'keys and their hashes are excluded. Operators who viewed the account appear in `audit` as ' +
      '`operator`.',
    access: 'sensitive',
    for_suspended: true,
    own: 'id',
    params: Params,
    examples: EXAMPLES,
    answers: {
      200: jsonAnswer(
        'Everything.',
        Type.Object(
          {
            exported_at: time('When the export was made.'),
            profile: WholeProfile,
            api_keys: Type.Array(Type.Object({}, { additionalProperties: true })),
            quota_days: Type.Array(Type.Object({ day: Type.String(), used: Type.Integer() })),
            audit: Type.Array(Type.Object({}, { additionalProperties: true })),
          },
          { additionalProperties: true },
        ),
        EXPORT_EXAMPLE,
      ),
    },
    problems: ['users.not_found'],
  }),
};
