import { ConnectionShown } from '#connections/connections/contract.ts';
import { CONNECTION_EXAMPLE } from '#connections/connections/examples.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { CLIENT_METADATA_PATH } from './client-metadata.ts';

/** OAuth authorization of connections. */

const text = Type.String();
const STATE = 'x9Qm0c1T3i2cYb1Jm6w4m8yU0o0yq6l1bq8s3m9kZ7E';
const ID = '0199a2f0-6c1e-7b3a-9f52-6f0a3d1c2b4e';

const OUTBOUND = ['outbound.failed', 'outbound.timeout'];

const START_PROBLEMS = [
  'connections.authorization_required',
  'connections.not_found',
  'connections.oauth_failed',
  'connections.oauth_unavailable',
  'registry.gone',
  ...OUTBOUND,
];

const FINISH_PROBLEMS = [
  'connections.forbidden',
  'connections.oauth_failed',
  'connections.oauth_state_invalid',
  'registry.gone',
  ...OUTBOUND,
];

const StartBody = Type.Object(
  {
    return_to: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description:
          'Where the callback redirects: a path on this service, such as `/account`, or a loopback URL with a port ' +
          'and no query, such as `http://127.0.0.1:49152/callback`. Defaults to the connection’s page.',
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
  is_repeat: false,
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
    summary: 'Start OAuth authorization of a connection',
    description:
      'Discovers the authorization server (RFC 9728, RFC 8414, OpenID Connect Discovery) and returns the URL to open in ' +
      'the browser. Show the user `server`, `issuer` and `scopes` first. The server must support PKCE with S256. ' +
      'A connection keeps its id when it is authorized again. Use this as well for a connection that is ' +
      '`auth_required`, or whose server requires additional scopes. The response sets the cookie ' +
      '`__Host-capstan-connect` (`capstan-connect` over http on loopback). Only the browser with this cookie can complete the ' +
      'authorization, once, within ten minutes. A native client listens on loopback, passes that URL ' +
      'as `return_to`, and completes the authorization with `POST …/oauth/complete`.',
    access: 'jwt',
    limit: 'oauth',
    params: Type.Object({ id: Type.String({ format: 'uuid', description: 'Connection id.' }) }),
    examples: { id: ID },
    body: StartBody,
    body_example: { return_to: '/' },
    answers: {
      200: jsonAnswer(
        'Authorization started.',
        Type.Object({
          authorization_url: Type.String({ description: 'Open this URL in the browser.' }),
          expires_at: Type.String({ format: 'date-time' }),
          server: Type.String({ description: 'The server that the token is for: the resource of RFC 8707.' }),
          issuer: Type.String({ description: 'The authorization server that issues the token.' }),
          scopes: Type.Array(text, { description: 'The requested scopes. Empty if the issuer decides.' }),
          client: Type.Enum(['registered', 'document', 'dynamic'], {
            description:
              'The OAuth client used: one that the operator registered for this server, the client metadata document, or a ' +
              'dynamically registered client.',
          }),
          is_repeat: Type.Boolean({
            description:
              'Whether the owner of the connection allowed the same before: this server and issuer, and no other scopes. Then ' +
              'there is nothing new to show before the redirect.',
          }),
        }),
        STARTED,
      ),
    },
    problems: START_PROBLEMS,
  }),
  finish: operation({
    id: 'connections.authorization.finish',
    method: 'GET',
    path: '/api/sessions/oauth/callback',
    summary: 'Handle the OAuth callback of a connection',
    description:
      'Authorization servers redirect the browser here; clients do not call it. It redirects to `return_to`, or to ' +
      'the connection’s page, with `connection` and `oauth` in the query. `oauth` is `connected`, `other_account` if another account was signed in before, or an error code. A ' +
      '`return_to` on loopback receives `state`, `code`, `iss` and `error` unchanged. Undocumented parameters ' +
      'are ignored.',
    access: 'public',
    limit: 'oauth',
    query: Type.Object({
      state: Type.String({ maxLength: 512, description: 'The `state` of the authorization URL.' }),
      code: Type.Optional(Type.String({ maxLength: 8_192, description: 'The authorization code.' })),
      iss: Type.Optional(Type.String({ maxLength: 2_048, description: 'The issuer identifier (RFC 9207).' })),
      error: Type.Optional(Type.String({ maxLength: 512, description: 'The error code, if authorization failed.' })),
    }),
    open_query: true,
    examples: { state: STATE, code: 'SplxlOBeZQQYbYS6WxSbIA' },
    answers: {
      303: { description: 'Redirect to where the authorization started, also after a failure.', content: {} },
    },
    problems: [],
  }),
  complete: operation({
    id: 'connections.authorization.complete',
    method: 'POST',
    path: '/api/sessions/connections/{id}/oauth/complete',
    summary: 'Complete the OAuth authorization of a native client',
    description:
      'Pass the parameters that the browser sent to `return_to` on loopback. Only the user who started it can complete it, ' +
      'for the same connection, once, within ten minutes.',
    access: 'jwt',
    limit: 'oauth',
    params: Type.Object({ id: Type.String({ format: 'uuid', description: 'Connection id.' }) }),
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
      200: jsonAnswer('The authorized connection.', ConnectionShown, CONNECTION_EXAMPLE),
    },
    problems: [...FINISH_PROBLEMS, 'connections.not_found'],
  }),
  getClientMetadata: operation({
    id: 'connections.authorization.getClientMetadata',
    method: 'GET',
    path: CLIENT_METADATA_PATH,
    summary: 'Get the OAuth client metadata document',
    description:
      'Its URL is the client id of this service at authorization servers that accept client id metadata documents. At other ' +
      'servers the service uses dynamic client registration.',
    access: 'public',
    answers: {
      200: jsonAnswer(
        'The document.',
        Type.Object({
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
        CLIENT,
      ),
    },
    problems: [],
  }),
} as const;
