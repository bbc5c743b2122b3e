import type { TProperties } from 'typebox';
import { MCP_PATH } from '#accounts/auth/resources.ts';
import { CLIENT_ID, REDIRECT_URI } from '#accounts/oauth/contract.ts';
import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The pages on which users sign in and let clients in, as data. Browsers get HTML; nobody else has to call them. */

const PAGE = {
  description: 'A page.',
  content: { 'text/html': { schema: Type.String(), example: '<!doctype html>\n<html lang="en">…</html>\n' } },
};
const onward = (description: string) => ({ 303: { description, content: {} } });

const REQUEST_PROBLEMS = [
  'auth.client_unknown',
  'auth.client_document_refused',
  'auth.client_metadata_refused',
  'auth.redirect_refused',
  'auth.authorization_refused',
];
const REGISTERING = ['auth.email_malformed', 'auth.password_weak', 'auth.too_many_new_accounts', 'crypto.busy'];
const FORM_PROBLEMS = [...REQUEST_PROBLEMS, 'auth.form_refused'];

const WALLET_PROBLEMS = [
  ...FORM_PROBLEMS,
  'auth.account_changed',
  'auth.too_many_new_accounts',
  'auth.challenge_expired',
  'auth.challenge_unknown',
  'auth.challenge_used',
  'auth.challenge_wrong_purpose',
  'auth.rpc_failed',
  'auth.rpc_required',
  'auth.wallet_signature_invalid',
];
const GOOGLE_PROBLEMS = [
  ...FORM_PROBLEMS,
  'auth.google_failed',
  'auth.google_not_configured',
  'outbound.blocked',
  'outbound.cut_off',
  'outbound.redirect_refused',
  'outbound.timeout',
  'outbound.too_large',
  'outbound.unreachable',
];

const EXAMPLES = {
  response_type: 'code',
  client_id: CLIENT_ID,
  redirect_uri: REDIRECT_URI,
  scope: 'read write',
  state: 'af0ifjsldkj',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBuHCm4HxG1g',
  code_challenge_method: 'S256',
  resource: `https://capstan.example${MCP_PATH}`,
};

const field = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));

/** All optional: what is missing is said on a page, or to the client. */
const Query = Type.Object({
  response_type: field(100, '`code`.'),
  client_id: field(512, 'The address of the client’s metadata document, or the id it was registered under.'),
  redirect_uri: field(1_024, 'One of the client’s, character by character; on loopback with any port.'),
  scope: field(400, 'Of `read`, `write`, `admin`, with spaces between; `read write` where left out.'),
  state: field(4_096, 'Comes back with the answer.'),
  code_challenge: field(100, 'PKCE, required.'),
  code_challenge_method: field(20, '`S256`.'),
  resource: field(1_024, 'The service or its MCP endpoint (RFC 8707); the MCP endpoint where left out.'),
  prompt: field(100, 'Users are always asked, so `none` is refused.'),
  problem: field(100, 'Added by this service: what went wrong at Google, as a problem code.'),
});

const FORM = {
  request: Type.String({ maxLength: 16_384, description: 'The authorization request that the page was shown for.' }),
  seal: Type.String({
    maxLength: 200,
    description: 'Proves that this browser was shown the page, within half an hour.',
  }),
};
const form = <const P extends TProperties>(more: P) =>
  Type.Object({ ...FORM, ...more }, { additionalProperties: false });
const FORM_EXAMPLE = { request: `${new URLSearchParams(EXAMPLES)}`, seal: 'mo2x5k1s.6bM…' };

const common = { access: 'public', reads: 'form' } as const;
const ENTERED = onward('Signed in, and back to the request.');

export const consentContract = {
  show: operation({
    id: 'accounts.consent.show',
    method: 'GET',
    path: '/oauth/authorize',
    summary: 'The page on which a user lets a client in',
    description:
      'The authorization endpoint (OAuth 2.1): asks the user to sign in, then whether the client may act for them. What is wrong ' +
      'with the client or its redirect URI is shown here and never sent on; other failures go to the client at once if it ' +
      'is a program on the user’s machine, and to a website only when the user follows a link. Parameters beside the ' +
      'documented ones are ignored.',
    access: 'public',
    limit: 'authorize',
    query: Query,
    open_query: true,
    examples: EXAMPLES,
    answers: { 200: PAGE, ...onward('The request cannot be granted, and the client is told.') },
    problems: REQUEST_PROBLEMS,
  }),
  decide: operation({
    ...common,
    id: 'accounts.consent.decide',
    method: 'POST',
    path: '/oauth/authorize',
    summary: 'What the user decided',
    description:
      'The form of the page. The browser goes on to the client with a code, or with `access_denied`, and `iss`.',
    limit: 'authorize',
    body: form({ decision: Type.Enum(['allow', 'deny']) }),
    body_example: { ...FORM_EXAMPLE, decision: 'allow' },
    answers: onward('To the client.'),
    problems: FORM_PROBLEMS,
  }),
  signInWithEmail: operation({
    ...common,
    id: 'accounts.consent.signInWithEmail',
    method: 'POST',
    path: '/oauth/sign-in/email',
    summary: 'Sign in on the page with an email address',
    description:
      'The form of the page. The token goes into a cookie of this service’s pages, which the API never reads.',
    limit: 'email',
    body: form({ email: Type.String({ maxLength: 254 }), password: Type.String({ maxLength: 256 }) }),
    body_example: { ...FORM_EXAMPLE, email: 'ada@example.org', password: 'correct horse battery' },
    answers: ENTERED,
    problems: [...FORM_PROBLEMS, 'auth.bad_credentials', 'auth.email_malformed', 'auth.account_changed', 'crypto.busy'],
  }),
  register: operation({
    ...common,
    id: 'accounts.consent.register',
    method: 'POST',
    path: '/oauth/register/email',
    summary: 'Register on the page with an email address',
    description:
      'The form of the page, as `POST /api/auth/email/register`: answers the page again, which says what comes next.',
    limit: 'email',
    body: form({ email: Type.String({ maxLength: 254 }), password: Type.String({ maxLength: 256 }) }),
    body_example: { ...FORM_EXAMPLE, email: 'ada@example.org', password: 'correct horse battery' },
    answers: { 202: { ...PAGE, description: 'A letter is on its way, whether the address has an account or not.' } },
    problems: [...FORM_PROBLEMS, ...REGISTERING],
  }),
  signInWithWallet: operation({
    ...common,
    id: 'accounts.consent.signInWithWallet',
    method: 'POST',
    path: '/oauth/sign-in/wallet',
    summary: 'Sign in on the page with a wallet',
    description: 'As with email. The page’s script gets the challenge and asks the wallet to sign it.',
    limit: 'wallet',
    body: form({ challenge_id: Type.String({ maxLength: 100 }), signature: Type.String({ maxLength: 20_000 }) }),
    body_example: { ...FORM_EXAMPLE, challenge_id: '0197a000-0000-7000-8000-0000000000a1', signature: '0x…' },
    answers: ENTERED,
    problems: WALLET_PROBLEMS,
  }),
  signInWithGoogle: operation({
    ...common,
    id: 'accounts.consent.signInWithGoogle',
    method: 'POST',
    path: '/oauth/sign-in/google',
    summary: 'Sign in on the page with Google',
    description: 'The browser goes to Google and comes back to the page by way of `/api/auth/google/callback`.',
    limit: 'google',
    body: form({}),
    body_example: FORM_EXAMPLE,
    answers: onward('To Google.'),
    problems: GOOGLE_PROBLEMS,
  }),
  signOut: operation({
    ...common,
    id: 'accounts.consent.signOut',
    method: 'POST',
    path: '/oauth/sign-out',
    summary: 'Sign out on the page, to use another account',
    description: 'Ends the session of this browser’s pages. The sessions of clients that were let in stay.',
    limit: 'authorize',
    body: form({}),
    body_example: FORM_EXAMPLE,
    answers: onward('Back to the request, signed out.'),
    problems: FORM_PROBLEMS,
  }),
} as const;
