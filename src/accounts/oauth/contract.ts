import type { TSchema } from 'typebox';
import { MCP_PATH } from '#accounts/auth/resources.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** OAuth 2.1 for clients: metadata, registration and PKCE. */

const text = (description?: string) => Type.String(description === undefined ? {} : { description });
const texts = () => Type.Array(Type.String());
const BASE = 'https://capstan.example';
export const CLIENT_ID = '0197a000-0000-7000-8000-0000000000e1';
export const REDIRECT_URI = 'http://127.0.0.1:8765/callback';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

const answer = (status: number, description: string, schema: TSchema, example: unknown) => ({
  [status]: jsonAnswer(description, schema, example),
});

const ProtectedResource = Type.Object({
  resource: text('Resource identifier. Send it as `resource` in authorization requests.'),
  authorization_servers: texts(),
  scopes_supported: texts(),
  bearer_methods_supported: texts(),
  resource_name: text(),
  resource_documentation: text(),
});

const AuthorizationServer = Type.Object({
  issuer: text(),
  authorization_endpoint: text(),
  token_endpoint: text(),
  registration_endpoint: text(),
  revocation_endpoint: text(),
  jwks_uri: text(),
  scopes_supported: texts(),
  response_types_supported: texts(),
  response_modes_supported: texts(),
  grant_types_supported: texts(),
  token_endpoint_auth_methods_supported: texts(),
  revocation_endpoint_auth_methods_supported: texts(),
  code_challenge_methods_supported: texts(),
  client_id_metadata_document_supported: Type.Boolean(),
  authorization_response_iss_parameter_supported: Type.Boolean(),
  service_documentation: text(),
});

const SCOPES = ['read', 'write', 'admin'];

const JWK_EXAMPLE = {
  kty: 'EC',
  crv: 'P-256',
  x: 'RQWDAGIG2siDBBgHmLwp-MB7GK7wI7DgK1LrU_EAZns',
  y: 'jT_psIIeNSzej94784ssF92Av7MBcVNWIR9pjBSeST0',
  kid: '0197a000-0000-7000-8000-0000000000d1',
  use: 'sig',
  alg: 'ES256',
};

const optional = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));

const TokenBody = Type.Object({
  grant_type: Type.String({ maxLength: 100, description: '`authorization_code` or `refresh_token`.' }),
  client_id: Type.String({ maxLength: 512, description: 'Same value as in the authorization request.' }),
  code: optional(100, 'Authorization code. Single use, valid for one minute.'),
  code_verifier: optional(128, 'PKCE verifier for the `code_challenge`.'),
  redirect_uri: optional(1_024, 'Same value as in the authorization request. Required if it was sent there.'),
  refresh_token: optional(100, 'The latest refresh token. Each use returns a new one.'),
  scope: optional(400, 'For a refresh: a subset of the granted scopes.'),
  resource: optional(1_024, 'Same value as in the authorization request, if sent there (RFC 8707).'),
});

const Tokens = Type.Object({
  access_token: text('Send it as `Authorization: Bearer <access_token>`.'),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ minimum: 0, description: 'Seconds.' }),
  refresh_token: text(),
  scope: text('Scopes that the user granted and their current tier allows.'),
});

const Registered = Type.Object({
  client_id: text(),
  client_id_issued_at: Type.Integer(),
  client_name: text(),
  redirect_uris: texts(),
  grant_types: texts(),
  response_types: texts(),
  token_endpoint_auth_method: text(),
});

export const oauthContract = {
  getProtectedResource: operation({
    id: 'accounts.oauth.getProtectedResource',
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    also: ['/.well-known/oauth-protected-resource/{resource_path}'],
    wildcard: 'resource_path',
    summary: 'Get protected-resource metadata (RFC 9728)',
    description:
      `OAuth protected-resource metadata. With \`${MCP_PATH}\` appended, the metadata describes the MCP ` +
      'endpoint, which accepts only tokens issued for it. Without a suffix, it describes the whole ' +
      'service. The `WWW-Authenticate` header of a 401 links the right document.',
    access: 'public',
    answers: answer(200, 'The metadata.', ProtectedResource, {
      resource: BASE,
      authorization_servers: [BASE],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Capstan',
      resource_documentation: `${BASE}/docs`,
    }),
    problems: ['http.not_found'],
  }),
  getAuthorizationServer: operation({
    id: 'accounts.oauth.getAuthorizationServer',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    also: ['/.well-known/oauth-authorization-server/{issuer_path}'],
    wildcard: 'issuer_path',
    summary: 'Get authorization-server metadata (RFC 8414)',
    description:
      'Authorization codes with PKCE (S256) for public clients. Clients identify themselves by the URL of ' +
      'a client ID metadata document or by dynamic registration. OpenID Connect is not supported.',
    access: 'public',
    answers: answer(200, 'The metadata.', AuthorizationServer, {
      issuer: BASE,
      authorization_endpoint: `${BASE}/oauth/authorize`,
      token_endpoint: `${BASE}/oauth/token`,
      registration_endpoint: `${BASE}/oauth/register`,
      revocation_endpoint: `${BASE}/oauth/revoke`,
      jwks_uri: `${BASE}/.well-known/jwks.json`,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${BASE}/docs`,
    }),
    problems: ['http.not_found'],
  }),
  getJwks: operation({
    id: 'accounts.oauth.getJwks',
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'Get the token signing keys (JWKS)',
    description:
      'JSON Web Key Set (RFC 7517). A key is published one hour before its first use and stays until its ' +
      'last token has expired.',
    access: 'public',
    answers: answer(
      200,
      'The keys.',
      Type.Object({
        keys: Type.Array(
          Type.Object({ kty: text(), crv: text(), x: text(), y: text(), kid: text(), use: text(), alg: text() }),
        ),
      }),
      { keys: [JWK_EXAMPLE] },
    ),
    problems: [],
  }),
  registerClient: operation({
    id: 'accounts.oauth.registerClient',
    method: 'POST',
    path: '/oauth/register',
    summary: 'Register a client',
    description:
      'Dynamic client registration (RFC 7591) for clients without a metadata document. All clients are ' +
      'public and have no secret. A client is deleted if no user authorizes it within a day. The consent ' +
      'page shows that the client is unverified.',
    access: 'public',
    limit: 'clients',
    error_form: 'oauth',
    any_origin: true,
    body: Type.Object({
      redirect_uris: Type.Optional(
        Type.Array(Type.String(), {
          description: "https, http on a loopback address (any port), or the app's private-use URI scheme.",
        }),
      ),
      client_name: Type.Optional(Type.String({ description: 'Name shown to users.' })),
      grant_types: Type.Optional(texts()),
      response_types: Type.Optional(texts()),
    }),
    body_example: { client_name: 'My editor', redirect_uris: [REDIRECT_URI] },
    answers: answer(201, 'Client registered.', Registered, {
      client_id: CLIENT_ID,
      client_id_issued_at: 1_776_160_800,
      client_name: 'My editor',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
    problems: ['auth.oauth_invalid'],
  }),
  createToken: operation({
    id: 'accounts.oauth.createToken',
    method: 'POST',
    path: '/oauth/token',
    summary: 'Exchange a code or refresh token for tokens',
    description:
      'Returns an access token, valid for one hour, and a new refresh token. Reusing a code, or using an ' +
      'old refresh token more than a minute after it was replaced, revokes the session. Unknown fields are ' +
      'ignored. Errors follow RFC 6749, section 5.2.',
    access: 'public',
    limit: 'token',
    reads: 'form',
    error_form: 'oauth',
    any_origin: true,
    body: TokenBody,
    body_example: {
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT_URI,
      code: 'SplxlOBeZQQYbYS6WxSbIA',
      code_verifier: VERIFIER,
      resource: BASE + MCP_PATH,
    },
    answers: answer(200, 'The tokens.', Tokens, {
      access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.…',
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: 'u1Yk…',
      scope: 'read write',
    }),
    problems: ['auth.oauth_invalid'],
  }),
  revokeToken: operation({
    id: 'accounts.oauth.revokeToken',
    method: 'POST',
    path: '/oauth/revoke',
    summary: 'Revoke a token',
    description:
      'Revokes the session that an access or refresh token belongs to (RFC 7009), with all its tokens. ' +
      'Unknown tokens return the same response.',
    access: 'public',
    limit: 'token',
    reads: 'form',
    error_form: 'oauth',
    any_origin: true,
    body: Type.Object({
      token: Type.String({ maxLength: 4_096, description: 'The access token or the refresh token.' }),
      client_id: Type.String({ maxLength: 512, description: 'The client that the token was issued to.' }),
    }),
    body_example: { token: 'u1Yk…', client_id: CLIENT_ID },
    answers: answer(200, 'Token revoked, or already invalid.', Type.Object({}), {}),
    problems: [],
  }),
} as const;
