import { ConnectionShown } from '#connections/connections/contract.ts';
import { CONNECTION_EXAMPLE } from '#connections/connections/examples.ts';
import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { CLIENT_METADATA_PATH } from './client-metadata.ts';

/** Signing in to their servers, as data. */

const text = Type.String();
const STATE = 'x9Qm0c1T3i2cYb1Jm6w4m8yU0o0yq6l1bq8s3m9kZ7E';
const ID = '0199a2f0-6c1e-7b3a-9f52-6f0a3d1c2b4e';

const OUTBOUND = ['blocked', 'cut_off', 'redirect_refused', 'timeout', 'too_large', 'unreachable'].map(
  (it) => `outbound.${it}`,
);

const named = (...names: string[]): string[] => names.map((it) => `sessions.${it}`);

const START_PROBLEMS = [
  'auth.return_to_refused',
  ...named('auth_required', 'not_found', 'oauth_client_refused', 'oauth_failed'),
  ...named('oauth_scope_refused'),
  ...named('oauth_issuer_mismatch', 'oauth_metadata_refused', 'oauth_not_offered', 'oauth_pkce_missing'),
  ...named('oauth_resource_mismatch'),
  'registry.listing_taken_down',
  ...OUTBOUND,
];

const FINISH_PROBLEMS = [
  ...named('oauth_denied', 'oauth_failed', 'oauth_issuer_mismatch', 'oauth_audience_mismatch', 'oauth_other_browser'),
  ...named('oauth_state_expired', 'oauth_state_unknown', 'oauth_state_used'),
  'registry.listing_taken_down',
  ...OUTBOUND,
];

const StartBody = Type.Object(
  {
    return_to: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description:
          'Where the callback redirects to: a path of this service, such as `/account`, or an address on loopback with a port ' +
          'and no query, such as `http://127.0.0.1:49152/callback`. Left out: the connection’s page.',
      }),
    ),
  },
  { additionalProperties: false },
);

const STARTED = {
  authorization_url: `https://auth.example/authorize?response_type=code&client_id=…&code_challenge=…&state=${STATE}`,
  expires_at: '2026-03-01T12:10:00.000Z',
  server: 'https://mcp.example/mcp',
  issuer: 'https://auth.example',
  scopes: ['tides:read'],
  client: 'dynamic',
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

export const authorizationContract = {
  start: operation({
    id: 'connections.authorization.start',
    method: 'POST',
    path: '/api/sessions/connections/{id}/oauth/start',
    summary: "Begin to sign in to a connection's server",
    description:
      'Finds the authorization server (RFC 9728, RFC 8414, OpenID Connect Discovery) and answers the address to send the ' +
      'browser to, and what its user is asked to allow there: show `server`, `issuer` and `scopes` first. PKCE with S256 is ' +
      'required of the server. A connection that was signed in before keeps its id: this also repairs one that is ' +
      '`auth_required`, and asks for the wider scope that a server wanted. In a browser it sets the cookie ' +
      '`__Host-capstan-connect` (`capstan-connect` on http at loopback): only the browser that has it can complete the ' +
      'sign-in, once, within ten minutes. A program without that browser’s cookies listens on loopback, gives that address ' +
      'as `return_to`, and completes the sign-in by `POST …/oauth/complete`.',
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
              authorization_url: Type.String({ description: 'Send the browser there.' }),
              expires_at: Type.String({ format: 'date-time' }),
              server: Type.String({ description: 'The server that gets a token: the resource of RFC 8707.' }),
              issuer: Type.String({ description: 'The authorization server that issues it.' }),
              scopes: Type.Array(text, { description: 'The scopes asked for; empty where the issuer decides.' }),
              client: Type.Enum(['registered', 'document', 'dynamic'], {
                description:
                  'As whom the service asks: a client that its operator registered for this server, its metadata document, or a ' +
                  'client that the issuer registered on request.',
              }),
            }),
            example: STARTED,
          },
        },
      },
    },
    problems: START_PROBLEMS,
  }),
  finish: operation({
    id: 'connections.authorization.finish',
    method: 'GET',
    path: '/api/sessions/oauth/callback',
    summary: "Complete a sign-in to a connection's server",
    description:
      'Where authorization servers send the browser back to; it is not called by hand. It redirects to `return_to`, else to ' +
      'the connection’s page, with `connection` and `oauth` in the query: `connected`, or the code of what went wrong. A ' +
      '`return_to` on loopback gets `state`, `code`, `iss` and `error` as they came. Parameters beside the documented ones ' +
      'are ignored.',
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
      303: { description: 'On to where the sign-in was begun, whatever happened.', content: {} },
    },
    problems: [],
  }),
  complete: operation({
    id: 'connections.authorization.complete',
    method: 'POST',
    path: '/api/sessions/connections/{id}/oauth/complete',
    summary: 'Complete a sign-in that a program began',
    description:
      'With what the browser brought to the program’s `return_to` on loopback. Only the user who began it can complete it, ' +
      'for the same connection, once, within ten minutes.',
    access: 'jwt',
    limit: 'oauth',
    params: Type.Object({ id: Type.String({ format: 'uuid', description: 'Of the connection.' }) }),
    examples: { id: ID },
    body: Type.Object(
      {
        state: Type.String({ maxLength: 512 }),
        code: Type.Optional(Type.String({ maxLength: 8_192 })),
        iss: Type.Optional(Type.String({ maxLength: 2_048 })),
        error: Type.Optional(Type.String({ maxLength: 512 })),
      },
      { additionalProperties: false },
    ),
    body_example: { state: STATE, code: 'SplxlOBeZQQYbYS6WxSbIA', iss: 'https://auth.example' },
    answers: {
      200: {
        description: 'The connection, signed in.',
        content: { 'application/json': { schema: ConnectionShown, example: CONNECTION_EXAMPLE } },
      },
    },
    problems: [...FINISH_PROBLEMS, 'sessions.not_found'],
  }),
  getClientMetadata: operation({
    id: 'connections.authorization.getClientMetadata',
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
              client_id: text,
              client_name: text,
              client_uri: text,
              redirect_uris: Type.Array(text),
              grant_types: Type.Array(text),
              response_types: Type.Array(text),
              software_id: text,
              software_version: text,
              application_type: text,
              token_endpoint_auth_method: text,
            }),
            example: CLIENT,
          },
        },
      },
    },
    problems: [],
  }),
} as const;
