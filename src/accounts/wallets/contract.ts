import { signedInAnswer } from '#accounts/auth/signed-in-answer.ts';
import { deleted } from '#accounts/users/deleted.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { SIGNER_TYPES, WALLET_TYPES } from './wallets.ts';
import { MAX_WINDOW_MINUTES } from './windows.ts';

/** Wallet sign-in and the wallets of an account. */

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const CHALLENGE_ID = '019a8c1e-7f00-7000-8000-3b1f6f4f9a10';

const WalletKind = Type.Enum([...WALLET_TYPES], { description: 'Wallet type.' });
const SignerKind = Type.Enum([...SIGNER_TYPES], {
  description: 'Wallet type, or `device` for a device key, which confirms requests and never signs in.',
});
const Address = Type.String({
  minLength: 1,
  maxLength: 100,
  description: '`0x` and 40 hexadecimal digits for ethereum; base58 for solana and device keys.',
});

const Purpose = Type.Object(
  {
    operation: Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Id of the operation to confirm, such as `accounts.apiKeys.create`; `accounts.wallets.verify` to ' +
        'sign in. To link a wallet, it signs a challenge for `accounts.wallets.link`.',
    }),
    target: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'Path of the request, without the query. Required if the path has parameters.',
      }),
    ),
    fields: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
        maxProperties: 20,
        description:
          'The fields of the body that the message states, with their values. Required for operations that ' +
          'list such fields (`x-signs`); the signature then confirms no other values.',
      }),
    ),
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_WINDOW_MINUTES,
        description:
          'Confirms all requests of the window of this operation (`x-confirm-window`) for this many minutes, ' +
          'in this session. Send the same headers with each. Replaces `target` and `fields`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Purpose of the signature. If omitted with a token, the challenge confirms one request to an ' +
      'operation listed above.',
  },
);

const ChallengeBody = Type.Object(
  { wallet_address: Address, wallet_type: SignerKind, purpose: Type.Optional(Purpose) },
  { additionalProperties: false },
);

const Challenge = Type.Object({
  challenge_id: Type.String({ format: 'uuid' }),
  message: Type.String({ description: 'The exact message to sign, in EIP-4361 format.' }),
  expires_at: Type.String({
    format: 'date-time',
    description:
      'Five minutes for sign-in challenges, two minutes for request confirmations, or as many as were requested.',
  }),
});

const CHALLENGE_EXAMPLE = {
  challenge_id: CHALLENGE_ID,
  message: [
    'capstan.example wants you to sign in with your Ethereum account:',
    ADDRESS,
    '',
    'Sign in. This confirms no other request, costs nothing and sends no transaction.',
    '',
    'URI: https://capstan.example',
    'Version: 1',
    'Chain ID: 1',
    'Nonce: 4f1c2a9d7b3e60581c2d3e4f5a6b7c8d',
    'Issued At: 2026-04-14T10:00:00.000Z',
    'Expiration Time: 2026-04-14T10:05:00.000Z',
    `Request ID: ${CHALLENGE_ID}`,
  ].join('\n'),
  expires_at: '2026-04-14T10:05:00.000Z',
};

export const Proof = Type.Object(
  {
    challenge_id: Type.String({ minLength: 1, maxLength: 100 }),
    signature: Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: '`0x` and hexadecimal digits (`personal_sign`) for ethereum; base58 for solana.',
    }),
    wallet_address: Address,
  },
  { additionalProperties: false },
);

const PROOF_EXAMPLE = { challenge_id: CHALLENGE_ID, signature: `0x${'5c'.repeat(64)}1b`, wallet_address: ADDRESS };

export const PROOF_PROBLEMS = ['auth.signature_invalid', 'http.invalid', 'auth.rpc_required', 'auth.rpc_failed'];

const Linked = Type.Object({
  status: Type.Literal('linked'),
  wallet_type: WalletKind,
  wallet_address: Type.String({ description: 'Canonical form of the address.' }),
});

export const walletsContract = {
  createChallenge: operation({
    id: 'accounts.wallets.createChallenge',
    method: 'POST',
    path: '/api/wallets/challenge',
    summary: 'Create a wallet challenge',
    description:
      'Returns a message for a wallet to sign. Without a token, it signs in. With a token, it confirms one ' +
      'request of that account, named in the message: send its operation and path as `purpose`. With a ' +
      'token and no `purpose`, it confirms one request to look up a user, read your profile, list or ' +
      'create API keys, read or change harnesses, or store credentials of a connection, and no other ' +
      'request. Each challenge is valid for one attempt, unless it was requested for some minutes.',
    access: 'optional',
    for_suspended: true,
    scope: 'read',
    limit: 'wallet',
    body: ChallengeBody,
    body_example: { wallet_address: ADDRESS, wallet_type: 'ethereum' },
    answers: {
      200: jsonAnswer('The challenge.', Challenge, CHALLENGE_EXAMPLE),
    },
    problems: ['http.invalid', 'auth.token_required'],
  }),
  verify: operation({
    id: 'accounts.wallets.verify',
    method: 'POST',
    path: '/api/wallets/verify',
    summary: 'Sign in with a wallet',
    description:
      'Verifies a signed challenge. Creates an account if the wallet is not linked to one. Each challenge ' +
      'is valid for one attempt, even if it fails.',
    access: 'public',
    limit: 'wallet',
    body: Proof,
    body_example: PROOF_EXAMPLE,
    answers: { 200: signedInAnswer('Signed in.') },
    problems: [...PROOF_PROBLEMS, 'auth.identity_conflict', 'auth.limit_exceeded'],
  }),
  link: operation({
    id: 'accounts.wallets.link',
    method: 'POST',
    path: '/api/auth/wallets',
    summary: 'Link a wallet to your account',
    description:
      'Requires a challenge signed by the wallet to link. If the account already has a wallet, one of them ' +
      'must confirm the request with a second challenge in the headers. Linking a wallet twice has no ' +
      'effect.',
    access: 'fresh',
    limit: 'wallet',
    body: Proof,
    body_example: PROOF_EXAMPLE,
    answers: {
      200: jsonAnswer('Wallet linked.', Linked, { status: 'linked', wallet_type: 'ethereum', wallet_address: ADDRESS }),
    },
    problems: [...PROOF_PROBLEMS, 'auth.identity_conflict', 'users.limit_exceeded'],
  }),
  unlink: operation({
    id: 'accounts.wallets.unlink',
    method: 'DELETE',
    path: '/api/auth/wallets/{wallet_type}/{wallet_address}',
    summary: 'Unlink a wallet',
    description:
      'Unlinks a wallet and ends the sessions that were started with it. The last sign-in method cannot be ' +
      'removed.',
    access: 'fresh',
    params: Type.Object({ wallet_type: WalletKind, wallet_address: Address }),
    examples: { wallet_type: 'ethereum', wallet_address: ADDRESS },
    answers: { 200: deleted('Wallet unlinked.') },
    problems: ['http.invalid', 'auth.not_found', 'auth.identity_conflict'],
  }),
};
