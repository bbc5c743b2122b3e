import { signedInAnswer } from '#accounts/auth/signed-in-answer.ts';
import { deleted } from '#accounts/users/deleted.ts';
import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { WALLET_TYPES } from './wallets.ts';

/** Signing in with a wallet, and the wallets of an account, as data. */

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const CHALLENGE_ID = '019a8c1e-7f00-7000-8000-3b1f6f4f9a10';

const WalletKind = Type.Enum([...WALLET_TYPES], { description: 'The kind of wallet.' });
const Address = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'For ethereum `0x` and 40 hexadecimal digits, for solana base58.',
});

const Purpose = Type.Object(
  {
    operation: Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Id of the operation to confirm, such as `accounts.apiKeys.create`; `accounts.wallets.verify` to sign in. A wallet that is ' +
        'to be linked signs for `accounts.wallets.link`.',
    }),
    target: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'The path of the request, without its query. Required where the path has parameters.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'What the signature is for. With a token, and left out: one request to an operation that the description above names.',
  },
);

const ChallengeBody = Type.Object(
  { wallet_address: Address, wallet_type: WalletKind, purpose: Type.Optional(Purpose) },
  { additionalProperties: false },
);

const Challenge = Type.Object({
  challenge_id: Type.String({ format: 'uuid' }),
  message: Type.String({ description: 'To be signed byte for byte; in the form of EIP-4361.' }),
  expires_at: Type.String({
    format: 'date-time',
    description: 'Five minutes later to sign in, two to confirm a request.',
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
      description: 'For ethereum `0x` and hexadecimal digits (`personal_sign`), for solana base58.',
    }),
    wallet_address: Address,
  },
  { additionalProperties: false },
);

const PROOF_EXAMPLE = { challenge_id: CHALLENGE_ID, signature: `0x${'5c'.repeat(64)}1b`, wallet_address: ADDRESS };

const PROOF_PROBLEMS = [
  'auth.challenge_unknown',
  'auth.challenge_used',
  'auth.challenge_expired',
  'auth.challenge_wrong_purpose',
  'auth.challenge_wrong_wallet',
  'auth.wallet_signature_invalid',
  'auth.wallet_address_malformed',
  'auth.rpc_required',
  'auth.rpc_failed',
];

const Linked = Type.Object({
  status: Type.Literal('linked'),
  wallet_type: WalletKind,
  wallet_address: Type.String({ description: 'In the one form of its type.' }),
});

export const walletsContract = {
  createChallenge: operation({
    id: 'accounts.wallets.createChallenge',
    method: 'POST',
    path: '/api/wallets/challenge',
    summary: 'Ask for a message to sign',
    description:
      'The message for a wallet to sign. Without a token it is to sign in. With a token it confirms one request of that ' +
      'account, which the message names: send its operation and path as `purpose`. With a token and no `purpose` it ' +
      'confirms one request to look up a user, read your profile, list or create API keys, read or change harnesses, or ' +
      'store credentials of a connection, and to nothing else. It is good for one attempt.',
    access: 'optional',
    scope: 'read',
    limit: 'wallet',
    body: ChallengeBody,
    body_example: { wallet_address: ADDRESS, wallet_type: 'ethereum' },
    answers: {
      200: {
        description: 'The challenge.',
        content: { 'application/json': { schema: Challenge, example: CHALLENGE_EXAMPLE } },
      },
    },
    problems: ['auth.purpose_invalid', 'auth.token_missing', 'auth.wallet_address_malformed'],
  }),
  verify: operation({
    id: 'accounts.wallets.verify',
    method: 'POST',
    path: '/api/wallets/verify',
    summary: 'Sign in with a wallet',
    description:
      'Takes the signature on the message of a challenge. A wallet that no account has gets a new account. ' +
      'The challenge is used up, also by a failure.',
    access: 'public',
    limit: 'wallet',
    body: Proof,
    body_example: PROOF_EXAMPLE,
    answers: { 200: signedInAnswer('Signed in.') },
    problems: [...PROOF_PROBLEMS, 'auth.account_changed', 'auth.too_many_new_accounts'],
  }),
  link: operation({
    id: 'accounts.wallets.link',
    method: 'POST',
    path: '/api/auth/wallets',
    summary: 'Link a wallet to your account',
    description:
      'Takes a signature of the wallet to link, on a challenge of its own. Where the account has wallets already, one ' +
      'of them confirms the request by a second challenge in the headers. Linking what is linked changes nothing.',
    access: 'fresh',
    limit: 'wallet',
    body: Proof,
    body_example: PROOF_EXAMPLE,
    answers: {
      200: {
        description: 'The wallet is linked.',
        content: {
          'application/json': {
            schema: Linked,
            example: { status: 'linked', wallet_type: 'ethereum', wallet_address: ADDRESS },
          },
        },
      },
    },
    problems: [...PROOF_PROBLEMS, 'auth.wallet_taken', 'auth.wallets_full'],
  }),
  unlink: operation({
    id: 'accounts.wallets.unlink',
    method: 'DELETE',
    path: '/api/auth/wallets/{wallet_type}/{wallet_address}',
    summary: 'Take a wallet off your account',
    description: 'Ends the sessions that were begun with it. The last way into an account cannot be taken off.',
    access: 'fresh',
    params: Type.Object({ wallet_type: WalletKind, wallet_address: Address }),
    examples: { wallet_type: 'ethereum', wallet_address: ADDRESS },
    answers: { 200: deleted('The wallet is off the account.') },
    problems: ['auth.wallet_address_malformed', 'auth.no_such_wallet', 'auth.last_identity'],
  }),
};
