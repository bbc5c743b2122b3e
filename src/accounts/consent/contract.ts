import type { TProperties } from 'typebox';
import { MCP_PATH } from '#accounts/auth/resources.ts';
import { CLIENT_ID, REDIRECT_URI } from '#accounts/oauth/contract.ts';
import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/**
 * The pages on which users sign in and authorize clients. They return HTML for browsers; other clients do not need
 * them.
 */

const PAGE = {
  description: 'HTML page.',
  content: { 'text/html': { schema: Type.String(), example: '<!doctype html>\n<html lang="en">…</html>\n' } },
};
const onward = (description: string) => ({ 303: { description, content: {} } });

const REQUEST_PROBLEMS = ['auth.oauth_invalid'];
const REGISTERING = ['http.invalid', 'auth.limit_exceeded', 'http.unavailable'];
const FORM_PROBLEMS = [...REQUEST_PROBLEMS, 'http.forbidden'];

const WALLET_PROBLEMS = [
  ...FORM_PROBLEMS,
  'auth.identity_conflict',
  'auth.limit_exceeded',
  'auth.signature_invalid',
  'auth.rpc_failed',
  'auth.rpc_required',
];
const GOOGLE_PROBLEMS = [
  ...FORM_PROBLEMS,
  'auth.google_failed',
  'auth.google_unavailable',
  'outbound.failed',
  'outbound.timeout',
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

/** All optional: missing parameters are reported on a page or to the client. */
const Query = Type.Object({
  response_type: field(100, '`code`.'),
  client_id: field(512, 'URL of the client ID metadata document, or a registered client id.'),
  redirect_uri: field(
    1_024,
    'Must match a redirect URI of the client exactly; on a loopback address, any port is accepted.',
  ),
  scope: field(400, '`read`, `write` and `admin`, space-separated. Default: `read write`.'),
  state: field(4_096, 'Returned with the response.'),
  code_challenge: field(100, 'PKCE challenge, required.'),
  code_challenge_method: field(20, '`S256`.'),
  resource: field(1_024, 'The service or its MCP endpoint (RFC 8707). Default: the MCP endpoint.'),
  prompt: field(100, '`none` is not supported; users are always asked for consent.'),
  problem: field(100, 'Added by this service: problem code of a failed Google sign-in.'),
});

const FORM = {
  request: Type.String({ maxLength: 16_384, description: 'Authorization request that the page was opened for.' }),
  seal: Type.String({
    maxLength: 200,
    description: 'CSRF token of the page, valid for 30 minutes.',
  }),
};
const form = <const P extends TProperties>(more: P) =>
  Type.Object({ ...FORM, ...more }, { additionalProperties: false });
const FORM_EXAMPLE = { request: `${new URLSearchParams(EXAMPLES)}`, seal: 'mo2x5k1s.6bM…' };

const common = { access: 'public', reads: 'form' } as const;
const ENTERED = onward('Signed in; redirects to the authorization request.');

export const consentContract = {
  show: operation({
    id: 'accounts.consent.show',
    method: 'GET',
    path: '/oauth/authorize',
    summary: 'Show the authorization page',
    description:
      'OAuth 2.1 authorization endpoint. Asks the user to sign in and to authorize the client. Errors in ' +
      'the client or its redirect URI are shown here and never forwarded. Other errors are sent to native ' +
      'clients at once, and to websites only if the user follows a link. Unknown parameters are ignored.',
    access: 'public',
    limit: 'authorize',
    query: Query,
    open_query: true,
    examples: EXAMPLES,
    answers: { 200: PAGE, ...onward('The request failed; the error is sent to the client.') },
    problems: REQUEST_PROBLEMS,
  }),
  decide: operation({
    ...common,
    id: 'accounts.consent.decide',
    method: 'POST',
    path: '/oauth/authorize',
    summary: 'Submit the consent decision',
    description: 'Submits the consent form. Redirects to the client with a code, or with `access_denied`, and `iss`.',
    limit: 'authorize',
    body: form({ decision: Type.Enum(['allow', 'deny']) }),
    body_example: { ...FORM_EXAMPLE, decision: 'allow' },
    answers: onward('Redirect to the client.'),
    problems: FORM_PROBLEMS,
  }),
  signInWithEmail: operation({
    ...common,
    id: 'accounts.consent.signInWithEmail',
    method: 'POST',
    path: '/oauth/sign-in/email',
    summary: 'Sign in with email on the authorization page',
    description:
      'Submits the sign-in form. The token is stored in a cookie for the authorization page; the API does ' +
      'not read it.',
    limit: 'email',
    body: form({ email: Type.String({ maxLength: 254 }), password: Type.String({ maxLength: 256 }) }),
    body_example: { ...FORM_EXAMPLE, email: 'ada@example.org', password: 'correct horse battery' },
    answers: ENTERED,
    problems: [
      ...FORM_PROBLEMS,
      'auth.credentials_invalid',
      'http.invalid',
      'auth.identity_conflict',
      'http.unavailable',
    ],
  }),
  register: operation({
    ...common,
    id: 'accounts.consent.register',
    method: 'POST',
    path: '/oauth/register/email',
    summary: 'Register with email on the authorization page',
    description:
      'Submits the registration form, like `POST /api/auth/email/register`. Returns the page with further ' +
      'instructions.',
    limit: 'email',
    body: form({ email: Type.String({ maxLength: 254 }), password: Type.String({ maxLength: 256 }) }),
    body_example: { ...FORM_EXAMPLE, email: 'ada@example.org', password: 'correct horse battery' },
    answers: { 202: { ...PAGE, description: 'Email sent, whether or not the address has an account.' } },
    problems: [...FORM_PROBLEMS, ...REGISTERING],
  }),
  signInWithWallet: operation({
    ...common,
    id: 'accounts.consent.signInWithWallet',
    method: 'POST',
    path: '/oauth/sign-in/wallet',
    summary: 'Sign in with a wallet on the authorization page',
    description: 'Submits the wallet form. A script on the page requests the challenge and asks the wallet to sign it.',
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
    summary: 'Sign in with Google on the authorization page',
    description: 'Redirects to Google, which returns to the page through `/api/auth/google/callback`.',
    limit: 'google',
    body: form({}),
    body_example: FORM_EXAMPLE,
    answers: onward('Redirect to Google.'),
    problems: GOOGLE_PROBLEMS,
  }),
  signOut: operation({
    ...common,
    id: 'accounts.consent.signOut',
    method: 'POST',
    path: '/oauth/sign-out',
    summary: 'Sign out on the authorization page',
    description:
      'Ends the browser session of the authorization page, for example to use another account. Sessions of ' +
      'authorized clients are kept.',
    limit: 'authorize',
    body: form({}),
    body_example: FORM_EXAMPLE,
    answers: onward('Signed out; redirects to the authorization request.'),
    problems: FORM_PROBLEMS,
  }),
} as const;
