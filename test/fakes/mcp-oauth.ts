import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defined } from '#core/defined.ts';
import { type FakeTool, type McpFake, type McpFakeOptions, startMcpFake, textResult } from './mcp-server.ts';

/** A real MCP server behind a real authorization server, both on loopback. It knows its user and asks nothing. */

export interface OAuthFake {
  /** The protected server. Its tool `hello` needs any token, `write` the scope of the same name. */
  mcp: McpFake;
  issuer: string;
  /** Changes what is published; a text is sent as it is. */
  server_metadata: (json: Json) => Json | string;
  resource_metadata: (json: Json) => Json | string;
  /** Of the challenge; null for none. */
  challenge_scope: string | null;
  /** Of access tokens, in seconds; undefined says nothing and ends nothing. */
  life_s: number | undefined;
  /** By which they end. */
  now: () => number;
  registration: 'open' | 'refused';
  /** The user says no. */
  denies: boolean;
  /** What the callback names as issuer; null for nothing. */
  iss: string | null;
  /** Answers a path of the authorization server in its place. */
  fault: (path: string, response: ServerResponse) => boolean;
  /** What the token endpoint waits for before it answers. */
  before_token: (body: URLSearchParams) => Promise<unknown>;
  /** Every request to the authorization server. */
  requests: { path: string; headers: IncomingMessage['headers']; body: URLSearchParams }[];
  registered: Json[];
  refreshes: number;
  revoked: string[];
  /** The email address in the ID token that comes with tokens; null for no ID token. */
  account: string | null;
  /** Ends every grant: no token and no refresh token does any more. */
  revokeAll(): void;
  /** Forgets every registration: no client can ask for a consent any more. */
  forgetClients(): void;
  close(): Promise<void>;
}

type Json = Record<string, unknown>;

interface Access {
  scope: string;
  resource: string | null;
  ends_at_ms: number;
}

interface State {
  clients: Map<string, { secret: string | null; redirect_uris: string[] }>;
  codes: Map<
    string,
    { client_id: string; redirect_uri: string; challenge: string; scope: string; resource: string | null }
  >;
  refresh: Map<string, { client_id: string; scope: string; resource: string | null }>;
  access: Map<string, Access>;
}

export async function startOAuthFake(options: McpFakeOptions = {}): Promise<OAuthFake> {
  const state: State = { clients: new Map(), codes: new Map(), refresh: new Map(), access: new Map() };
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    answer(fake, state, request, response, Buffer.concat(chunks).toString('utf8'));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const mcp = await startMcpFake(TOOLS, options);
  const fake: OAuthFake = {
    mcp,
    issuer,
    server_metadata: same,
    resource_metadata: same,
    challenge_scope: 'read',
    life_s: 3_600,
    now: Date.now,
    registration: 'open',
    denies: false,
    iss: issuer,
    fault: () => false,
    requests: [],
    registered: [],
    before_token: async () => {},
    refreshes: 0,
    revoked: [],
    account: null,
    forgetClients: () => state.clients.clear(),
    revokeAll: () => {
      for (const map of [state.refresh, state.access]) map.clear();
    },
    close: async () => {
      await mcp.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  mcp.fault = (request, response, body) => protect(fake, state, request, response, body);
  return fake;
}

const same = (json: Json): Json => json;
const tool = (name: string): FakeTool => ({ name, call: () => textResult(`${name} done`) });
const TOOLS = [tool('hello'), tool('write')];

/** The door of the MCP server: its metadata (RFC 9728), and no request without a good token. */
function protect(fake: OAuthFake, { access }: State, request: IncomingMessage, response: ServerResponse, body: string) {
  const { origin } = new URL(fake.mcp.url);
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
  if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
    const json = { resource: fake.mcp.url, authorization_servers: [fake.issuer], scopes_supported: ['read'] };
    send(response, 200, fake.resource_metadata(json));
    return true;
  }
  if (request.url?.startsWith('/.well-known/')) return Boolean(response.writeHead(404).end());
  const held = access.get(`${request.headers.authorization}`.replace('Bearer ', ''));
  const isGood = held !== undefined && held.ends_at_ms > fake.now() && held.resource === fake.mcp.url;
  const about = `resource_metadata="${metadataUrl}"`;
  if (!isGood) {
    const scope = fake.challenge_scope === null ? '' : `, scope="${fake.challenge_scope}"`;
    response.writeHead(401, { 'www-authenticate': `Bearer ${about}${scope}` }).end();
    return true;
  }
  if (!/"name":"write"/.test(body) || held.scope.split(' ').includes('write')) return false;
  response.writeHead(403, { 'www-authenticate': `Bearer error="insufficient_scope", scope="write", ${about}` }).end();
  return true;
}

function answer(
  fake: OAuthFake,
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): unknown {
  const url = new URL(request.url ?? '/', fake.issuer);
  const body = new URLSearchParams(text);
  fake.requests.push({ path: url.pathname, headers: request.headers, body });
  if (fake.fault(url.pathname, response)) return;
  if (url.pathname === '/.well-known/oauth-authorization-server')
    return send(response, 200, fake.server_metadata(metadataOf(fake)));
  if (url.pathname === '/authorize') return authorize(fake, state, url.searchParams, response);
  if (url.pathname === '/register') return register(fake, state, text, response);
  if (url.pathname !== '/token' && url.pathname !== '/revoke') return response.writeHead(404).end();
  const clientId = authenticated(state, request, body);
  if (clientId === null) return send(response, 401, { error: 'invalid_client' });
  if (url.pathname === '/token')
    return fake.before_token(body).then(() => send(response, ...token(fake, state, clientId, body)));
  fake.revoked.push(body.get('token') ?? '');
  state.refresh.delete(body.get('token') ?? '');
  return response.writeHead(200).end();
}

const metadataOf = ({ issuer }: OAuthFake): Json => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  revocation_endpoint: `${issuer}/revoke`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  authorization_response_iss_parameter_supported: true,
  scopes_supported: ['read', 'write'],
});

function register(fake: OAuthFake, { clients }: State, text: string, response: ServerResponse): unknown {
  const asked = JSON.parse(text);
  fake.registered.push(asked);
  if (fake.registration === 'refused') return send(response, 403, { error: 'access_denied' });
  const client_id = `client-${clients.size + 1}`;
  const secret = asked.token_endpoint_auth_method === 'none' ? null : random();
  clients.set(client_id, { secret, redirect_uris: asked.redirect_uris });
  return send(response, 201, { ...asked, client_id, ...defined({ client_secret: secret ?? undefined }) });
}

/** A client whose id is an address is believed to have its document there. */
function authorize(
  fake: OAuthFake,
  { clients, codes }: State,
  query: URLSearchParams,
  response: ServerResponse,
): unknown {
  const [client_id = '', redirect_uri = '', challenge = ''] = ['client_id', 'redirect_uri', 'code_challenge'].map(
    (name) => query.get(name) ?? '',
  );
  if (client_id.startsWith('https:')) clients.set(client_id, { secret: null, redirect_uris: [redirect_uri] });
  const isFit = clients.get(client_id)?.redirect_uris.includes(redirect_uri);
  if (!isFit || challenge === '' || query.get('code_challenge_method') !== 'S256')
    return response.writeHead(400).end('a bad request to authorize');
  const code = random();
  const [scope, resource] = [query.get('scope') ?? '', query.get('resource')];
  codes.set(code, { client_id, redirect_uri, challenge, scope, resource });
  const back = new URL(redirect_uri);
  const result = fake.denies ? { error: 'access_denied', error_description: '<b>no</b>' } : { code };
  const iss = fake.iss === null ? {} : { iss: fake.iss };
  back.search = `${new URLSearchParams({ ...result, ...iss, state: query.get('state') ?? '' } as Record<string, string>)}`;
  return response.writeHead(302, { location: back.href }).end();
}

function authenticated({ clients }: State, request: IncomingMessage, body: URLSearchParams): string | null {
  const basic = /^Basic (.+)$/.exec(`${request.headers.authorization}`)?.[1];
  const [id, secret] =
    basic === undefined
      ? [body.get('client_id') ?? '', body.get('client_secret')]
      : Buffer.from(basic, 'base64').toString().split(':');
  const client = clients.get(id as string);
  return client !== undefined && client.secret === (secret ?? null) ? (id as string) : null;
}

function token(fake: OAuthFake, state: State, clientId: string, body: URLSearchParams): [number, Json] {
  const refused: [number, Json] = [400, { error: 'invalid_grant', error_description: 'the words of a stranger' }];
  if (body.get('grant_type') === 'refresh_token') {
    const held = state.refresh.get(body.get('refresh_token') ?? '');
    // A refresh token does once: a second use of it would be seen here.
    state.refresh.delete(body.get('refresh_token') ?? '');
    fake.refreshes++;
    return held === undefined || held.client_id !== clientId ? refused : [200, issue(fake, state, held)];
  }
  const held = state.codes.get(body.get('code') ?? '');
  state.codes.delete(body.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(body.get('code_verifier') ?? '')
    .digest('base64url');
  const isFit = held?.challenge === challenge && held.redirect_uri === body.get('redirect_uri');
  if (held === undefined || !isFit || held.client_id !== clientId || held.resource !== body.get('resource'))
    return refused;
  return [200, issue(fake, state, held)];
}

function issue(
  { life_s, now, account, issuer }: OAuthFake,
  { refresh, access }: State,
  held: { client_id: string; scope: string; resource: string | null },
) {
  const tokens = { access_token: random(), refresh_token: random() };
  refresh.set(tokens.refresh_token, held);
  access.set(tokens.access_token, { ...held, ends_at_ms: now() + (life_s ?? 1e9) * 1_000 });
  return {
    ...tokens,
    token_type: 'Bearer',
    scope: held.scope,
    ...defined({
      expires_in: life_s,
      id_token: account === null ? undefined : idToken({ iss: issuer, email: account }),
    }),
  };
}

function send(response: ServerResponse, status: number, body: Json | string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function idToken(claims: Json): string {
  const [head, body] = [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return `${head}.${body}.c2ln`;
}

const random = (): string => randomBytes(24).toString('base64url');
