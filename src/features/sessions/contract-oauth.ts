import { operation } from '../../platform/http/operation.ts';
import { Type } from '../../platform/json-schema/type.ts';
import { CLIENT_METADATA_PATH } from './oauth/client-metadata.ts';

/** Signing in to their servers, as data. */

const text = Type.String();
const STATE = 'x9Qm0c1T3i2cYb1Jm6w4m8yU0o0yq6l1bq8s3m9kZ7E';
const ID = '0199a2f0-6c1e-7b3a-9f52-6f0a3d1c2b4e';

const OUTBOUND = ['blocked', 'cut_off', 'redirect_refused', 'timeout', 'too_large', 'unreachable'].map(
  (it) => `outbound.${it}`,
);

const named = (...names: string[]): string[] => names.map((it) => `sessions.${it}`);

const START_PROBLEMS = [
  ...['auth.return_to_refused', ...named('auth_required', 'not_found', 'oauth_client_refused', 'oauth_failed')],
  ...named('oauth_issuer_mismatch', 'oauth_metadata_refused', 'oauth_not_offered', 'oauth_pkce_missing'),
  ...[...named('oauth_resource_mismatch'), 'registry.listing_taken_down', ...OUTBOUND],
];

const FINISH_PROBLEMS = [
  ...named('oauth_denied', 'oauth_failed', 'oauth_issuer_mismatch', 'oauth_other_browser', 'oauth_other_user'),
  ...[
    ...named('oauth_state_expired', 'oauth_state_unknown', 'oauth_state_used'),
    'registry.listing_taken_down',
    ...OUTBOUND,
  ],
];

const StartBody = Type.Object(
  {
    return_to: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description: 'A path of this service, such as `/account`. The callback then redirects there.',
      }),
    ),
  },
  { additionalProperties: false },
);

const STARTED = {
  authorization_url: `https://auth.example/authorize?response_type=code&client_id=…&code_challenge=…&state=${STATE}`,
  expires_at: '2026-03-01T12:10:00.000Z',
};

const CLIENT = {
  client_id: `https://capstan.example${CLIENT_METADATA_PATH}`,
  client_name: 'Capstan',
  client_uri: 'https://capstan.example',
  redirect_uris: ['https://capstan.example/api/sessions/oauth/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  software_id: 'capstan',
  software_version: '0.1.0',
  application_type: 'web',
  token_endpoint_auth_method: 'none',
};

export const oauthContract = {
  startOauth: operation({
    id: 'sessions.startOauth',
    method: 'POST',
    path: '/api/sessions/connections/{id}/oauth/start',
    summary: "Begin to sign in to a connection's server",
    description:
      'Finds the authorization server (RFC 9728, RFC 8414, OpenID Connect Discovery) and answers the address to send the ' +
      'browser to. PKCE with S256 is required of the server. A connection that was signed in before keeps its id: this also ' +
      'repairs one that is `auth_required`, and asks for the wider scope that a server wanted. Also sets the cookie ' +
      '`__Host-capstan-connect` (`capstan-connect` on http at loopback): only the browser that has it can complete the sign-in, once, within ten minutes.',
    access: 'jwt',
    limit: 'oauth',
    params: Type.Object({ id: Type.String({ format: 'uuid', description: 'Of the connection.' }) }),
    examples: { id: ID },
    body: StartBody,
    body_example: { return_to: '/' },
    answers: {
      200: {
        description: 'The sign-in has begun.',
        content: {
          'application/json': {
            schema: Type.Object({
              authorization_url: Type.String({ description: 'Send this browser there.' }),
              expires_at: Type.String({ format: 'date-time' }),
            }),
            example: STARTED,
          },
        },
      },
    },
    problems: START_PROBLEMS,
  }),
  finishOauth: operation({
    id: 'sessions.finishOauth',
    method: 'GET',
    path: '/api/sessions/oauth/callback',
    summary: "Complete a sign-in to a connection's server",
    description:
      'Where authorization servers send the browser back to; it is not called by hand. Where `return_to` was given, the ' +
      'browser goes on there with `connection` and `oauth` in the query: `connected`, or the code of what went wrong. Else it ' +
      'gets a page that says what happened, and other clients JSON. Parameters beside the documented ones are ignored.',
    access: 'public',
    limit: 'oauth',
    query: Type.Object({
      state: Type.String({ maxLength: 512, description: 'As it stood in the authorization URL.' }),
      code: Type.Optional(Type.String({ maxLength: 8_192, description: 'What stands for the consent.' })),
      iss: Type.Optional(Type.String({ maxLength: 2_048, description: 'Who sends the browser back (RFC 9207).' })),
      error: Type.Optional(Type.String({ maxLength: 512, description: 'Why there is no code.' })),
    }),
    open_query: true,
    examples: { state: STATE, code: 'SplxlOBeZQQYbYS6WxSbIA' },
    answers: {
      200: {
        description: 'The connection is signed in.',
        content: {
          'application/json': {
            schema: Type.Object({ status: Type.Literal('connected'), connection_id: text }),
            example: { status: 'connected', connection_id: ID },
          },
          'text/html': { schema: text, example: '<!doctype html>…' },
        },
      },
      303: { description: 'The browser goes on to `return_to`, whatever happened.', content: {} },
    },
    problems: FINISH_PROBLEMS,
  }),
  getClientMetadata: operation({
    id: 'sessions.getClientMetadata',
    method: 'GET',
    path: CLIENT_METADATA_PATH,
    summary: 'What this service is to authorization servers',
    description:
      'An OAuth client id metadata document: its address is our client id where a server takes such ids. Servers that do ' +
      'not register us by `POST` to their registration endpoint.',
    access: 'public',
    answers: {
      200: {
        description: 'The document.',
        content: {
          'application/json': {
            schema: Type.Object({
              ...{ client_id: text, client_name: text, client_uri: text, redirect_uris: Type.Array(text) },
              ...{ grant_types: Type.Array(text), response_types: Type.Array(text), software_id: text },
              ...{ software_version: text, application_type: text, token_endpoint_auth_method: text },
            }),
            example: CLIENT,
          },
        },
      },
    },
    problems: [],
  }),
} as const;
