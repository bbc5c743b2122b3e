import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, test } from 'node:test';
import { updateConnection } from '#connections/connections/connections.ts';
import { createBrowser } from '#test/fakes/browser.ts';
import { type Owner, openOAuthStand } from '#test/oauth-stand.ts';

const stand = await openOAuthStand();
const { fake } = stand;
const same = fake.server_metadata;
after(() => stand[Symbol.asyncDispose]());
afterEach(() => {
  Object.assign(fake, { server_metadata: same, resource_metadata: same, fault: () => false, registration: 'open' });
  fake.requests.length = 0;
});

interface Started {
  authorization_url: string;
  expires_at: string;
  is_repeat: boolean;
  code: string;
  detail: string;
}
const bodyOf = async (answer: Response) => (await answer.json()) as Started;
const JSON_TYPE = { 'content-type': 'application/json' };
const startOf = async (owner: Owner) => bodyOf(await stand.start(owner, createBrowser()));
function withServer(more: object) {
  fake.server_metadata = (json) => ({ ...json, ...more });
}

test('200: returns the authorization URL, valid for ten minutes, and a cookie that binds it to this browser', async () => {
  const owner = await stand.newOwner();
  const askedMs = Date.now();
  const answer = await stand.start(owner, createBrowser());
  const answeredMs = Date.now();
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const cookie = answer.headers.get('set-cookie') ?? '';
  assert.match(cookie, /^capstan-connect=[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  const { authorization_url, expires_at, ...about } = await bodyOf(answer);
  assert.deepEqual(about, {
    server: fake.mcp.url,
    issuer: fake.issuer,
    scopes: ['read'],
    client: 'dynamic',
    is_repeat: false,
  });
  const begunMs = Date.parse(expires_at) - 600_000;
  assert.ok(askedMs <= begunMs && begunMs <= answeredMs, expires_at);
  const { origin, searchParams } = new URL(authorization_url);
  assert.equal(origin, fake.issuer);
  assert.equal(searchParams.get('resource'), fake.mcp.url);
  assert.equal(searchParams.get('scope'), 'read');
  assert.equal(searchParams.get('code_challenge_method'), 'S256');
  assert.match(searchParams.get('state') ?? '', /^[\w-]{43}$/);
  assert.equal(searchParams.get('redirect_uri'), `${stand.url}/api/sessions/oauth/callback`);
});

test("200: two users' connections to one issuer share one client registration", async () => {
  const owner = await stand.newOwner();
  await startOf(owner);
  const before = fake.registered.length;
  await startOf(await stand.newOwner());
  assert.equal(fake.registered.length, before);
  assert.equal(fake.registered[0]?.token_endpoint_auth_method, 'client_secret_basic');
  assert.deepEqual(fake.registered[0]?.redirect_uris, [`${stand.url}/api/sessions/oauth/callback`]);
});

test('200: a server without resource metadata uses its own origin as issuer, also with OpenID metadata', async () => {
  const owner = await stand.newOwner();
  const { origin } = new URL(fake.mcp.url);
  const protect = fake.mcp.fault;
  const metadata = {
    issuer: origin,
    authorization_endpoint: `${fake.issuer}/authorize`,
    token_endpoint: `${fake.issuer}/token`,
  };
  const openid = {
    ...metadata,
    jwks_uri: `${origin}/jwks`,
    registration_endpoint: `${fake.issuer}/register`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
  fake.mcp.fault = (request, response) => {
    if (request.url === '/.well-known/openid-configuration') return Boolean(response.end(JSON.stringify(openid)));
    return Boolean(response.writeHead(request.url?.startsWith('/.well-known/') ? 404 : 401).end());
  };
  const { authorization_url } = await startOf(owner);
  fake.mcp.fault = protect;
  assert.equal(new URL(authorization_url).searchParams.get('resource'), fake.mcp.url);
});

test('422: the authorization server does not support PKCE with S256', async () => {
  for (const methods of [undefined, [], ['plain']]) {
    withServer({ code_challenge_methods_supported: methods });
    assert.equal((await startOf(await stand.newOwner())).code, 'connections.oauth_unavailable');
  }
  assert.deepEqual(fake.requests.filter((request) => request.path === '/register').length, 0);
});

test('502: rejects metadata that names another issuer or another resource', async () => {
  const owner = await stand.newOwner();
  for (const issuer of ['https://evil.example', `${fake.issuer}/x`, `${fake.issuer}/`]) {
    withServer({ issuer });
    assert.equal((await startOf(owner)).code, 'connections.oauth_failed', issuer);
  }
  fake.server_metadata = same;
  const { origin } = new URL(fake.mcp.url);
  for (const resource of ['https://evil.example/mcp', `${origin}/other`, `${fake.mcp.url}/deeper`, `${origin}/mc`]) {
    fake.resource_metadata = (json) => ({ ...json, resource });
    assert.equal((await startOf(owner)).code, 'connections.oauth_failed', resource);
  }
});

test('502: rejects endpoints in private networks or with other schemes', async () => {
  const owner = await stand.newOwner();
  const inside = [
    'http://169.254.169.254/token',
    'https://10.0.0.1/token',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
  ];
  for (const address of [...inside, 'http://8.8.8.8/token', 'https://user:pw@example.com/token'])
    for (const name of ['token_endpoint', 'authorization_endpoint', 'registration_endpoint', 'revocation_endpoint']) {
      withServer({ [name]: address });
      assert.equal((await startOf(owner)).code, 'outbound.failed', `${name} ${address}`);
    }
  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'no address', 7]) {
    withServer({ authorization_endpoint: address });
    assert.match((await startOf(owner)).code, /^(connections.oauth_failed|outbound.failed)$/, `${address}`);
  }
  fake.server_metadata = same;
  for (const server of ['http://169.254.169.254/', 'https://192.168.1.1', 'file:///etc/passwd']) {
    fake.resource_metadata = (json) => ({ ...json, authorization_servers: [server] });
    assert.match((await startOf(owner)).code, /^(outbound.failed|connections.oauth_failed)$/, server);
  }
});

test('502: rejects a challenge with a private address; ignores invalid scopes of the metadata', async () => {
  const owner = await stand.newOwner();
  const protect = fake.mcp.fault;
  let header = 'Bearer resource_metadata="http://169.254.169.254/latest"';
  fake.mcp.fault = (request, response, body) =>
    request.url === '/mcp'
      ? Boolean(response.writeHead(401, { 'www-authenticate': header }).end())
      : protect(request, response, body);
  assert.equal((await startOf(owner)).code, 'outbound.failed');
  header = 'Bearer';
  fake.resource_metadata = (json) => ({
    ...json,
    scopes_supported: Array.from({ length: 9_000 }, (_, at) => `"s ${at}`).concat('read'),
  });
  const { authorization_url } = await startOf(owner);
  fake.mcp.fault = protect;
  assert.equal(new URL(authorization_url).searchParams.get('scope'), 'read');
});

test('502: rejects metadata with redirects elsewhere, endless redirects, and oversized or invalid responses', async () => {
  const owner = await stand.newOwner();
  const cases: [string, (response: ServerResponse) => unknown][] = [
    ['outbound.failed', (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    ['outbound.failed', (response) => response.writeHead(302, { location: fake.mcp.url }).end()],
    [
      'outbound.failed',
      (response) => response.writeHead(302, { location: '/.well-known/oauth-authorization-server' }).end(),
    ],
    ['outbound.failed', (response) => response.writeHead(200).end(`{"issuer":"${'x'.repeat(300_000)}"}`)],
    ['connections.oauth_failed', (response) => response.writeHead(200).end('{"issuer":')],
    ['connections.oauth_failed', (response) => response.writeHead(200).end('[]')],
    ['connections.oauth_failed', (response) => response.writeHead(500).end()],
    ['connections.oauth_unavailable', (response) => response.writeHead(404).end()],
  ];
  for (const [code, respond] of cases) {
    fake.fault = (path, response) => path.startsWith('/.well-known/') && Boolean(respond(response) ?? true);
    assert.equal((await startOf(owner)).code, code);
  }
});

test('rejects server metadata with 502 and a registration with 422 if they are too large to store', async () => {
  await stand.world.database.db.deleteFrom('connection_clients').execute();
  const owner = await stand.newOwner();
  withServer({ scopes_supported: Array.from({ length: 9_000 }, (_, at) => `scope-${at}`) });
  assert.equal((await startOf(owner)).code, 'connections.oauth_failed');
  fake.server_metadata = same;
  const client = { client_id: 'x'.repeat(20_000), redirect_uris: [`${stand.url}/api/sessions/oauth/callback`] };
  fake.fault = (path, response) =>
    path === '/register' && Boolean(response.writeHead(201, JSON_TYPE).end(JSON.stringify(client)));
  assert.equal((await startOf(owner)).code, 'connections.oauth_unavailable');
  fake.fault = () => false;
});

test('422: registration is refused, or not offered without a configured client', async () => {
  await stand.world.database.db.deleteFrom('connection_clients').execute();
  const owner = await stand.newOwner();
  fake.registration = 'refused';
  assert.equal((await startOf(owner)).code, 'connections.oauth_unavailable');
  withServer({ registration_endpoint: undefined });
  assert.equal((await startOf(owner)).code, 'connections.oauth_unavailable');
});

test('200: an authorized connection requests its previous scopes and those the server has required since', async () => {
  const owner = await stand.newOwner();
  await stand.signIn(owner);
  const { db } = stand.world.database;
  await db.updateTable('connection_grants').set({ wanted_scope: 'read write' }).execute();
  await updateConnection(db, owner.connection.id, { status: 'auth_required' });
  const { authorization_url } = await startOf(owner);
  assert.deepEqual(new URL(authorization_url).searchParams.get('scope')?.split(' ').sort(), ['read', 'write']);
  assert.equal((await stand.signIn(owner)).status, 303);
  assert.equal((await stand.look(owner.connection)).last_error, null);
});

test('200: is_repeat only for what the owner of the same connection allowed before', async () => {
  const [owner, other] = [await stand.newOwner(), await stand.newOwner()];
  const isRepeat = async (of: Owner) => (await startOf(of)).is_repeat;
  assert.equal(await isRepeat(owner), false);
  await stand.signIn(owner);
  assert.deepEqual([await isRepeat(owner), await isRepeat(other)], [true, false]);
  fake.challenge_scope = 'read write';
  assert.equal(await isRepeat(owner), false, 'one scope more');
  fake.challenge_scope = 'read';
});

const NOT_LOOPBACK = [
  'http://127.0.0.1/callback',
  'http://127.0.0.1:1/?state=x',
  'https://127.0.0.1:1/',
  'http://127.0.0.1:1@evil.example/',
  'http://127.0.0.1.evil.example:1/',
  'http://localhost:1/#x',
  'http://127.0.0.1:99999/',
  'http://10.0.0.1:1/',
];

test("404: another user's connection; 400: a return_to to another host", async () => {
  const [one, other] = [await stand.newOwner(), await stand.newOwner()];
  assert.equal((await startOf({ ...one, connection: other.connection })).code, 'connections.not_found');
  for (const return_to of ['https://evil.example', '//evil.example', '/\\evil.example', '', ...NOT_LOOPBACK]) {
    const answer = await stand.start(one, createBrowser(), { return_to });
    assert.equal((await bodyOf(answer)).code, 'http.invalid');
    assert.equal(answer.headers.get('set-cookie'), null);
  }
});
