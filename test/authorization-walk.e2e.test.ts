import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  auth,
  Client,
  type OAuthClientInformation,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { linkEmail } from '#accounts/users/identities.ts';
import { createUser } from '#accounts/users/users.ts';
import { createPasswords } from '#core/crypto/passwords.ts';
import { defined } from '#core/defined.ts';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { createVisitor, type Page, REDIRECT_URI, serveDocuments, type Visitor } from './authorization-client.ts';
import { PASSWORD } from './email-stand.ts';
import { createBrowser } from './fakes/browser.ts';
import { freePort } from './free-port.ts';
import { ethereumWallet, solanaWallet } from './wallet-keys.ts';
import { openWorld } from './world.ts';

/** The official MCP client signs in to the running service, as editors do: no token is pasted. */

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const world = await openWorld({ PORT: `${port}`, PUBLIC_URL: url });
await world.listen();
const documents = await serveDocuments((request, response) => {
  const client_id = `${documents.url}${request.url}`;
  const body = { client_id, client_name: 'Editor', redirect_uris: ['http://127.0.0.1/callback'], client_uri: url };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}, true);
after(async () => {
  documents.close();
  await world.close();
});

interface TestProvider extends OAuthClientProvider {
  /** Where the user was sent to. */
  sent: URL;
  held: { client?: OAuthClientInformation; tokens?: OAuthTokens; verifier?: string; discovery?: OAuthDiscoveryState };
}

function provider(clientMetadataUrl?: string): TestProvider {
  const held: TestProvider['held'] = {};
  const testProvider: TestProvider = {
    held,
    sent: new URL('http://nowhere'),
    redirectUrl: REDIRECT_URI,
    clientMetadata: { client_name: 'Editor', redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none' },
    ...defined({ clientMetadataUrl }),
    state: () => 'a state of the client',
    clientInformation: () => held.client,
    saveClientInformation: (client) => void Object.assign(held, { client }),
    tokens: () => held.tokens,
    saveTokens: (tokens) => void Object.assign(held, { tokens }),
    saveCodeVerifier: (verifier) => void Object.assign(held, { verifier }),
    codeVerifier: () => held.verifier ?? '',
    discoveryState: () => held.discovery,
    saveDiscoveryState: (discovery) => void Object.assign(held, { discovery }),
    redirectToAuthorization: (to) => void Object.assign(testProvider, { sent: to }),
  };
  return testProvider;
}

const whoami = async (token: string | undefined) =>
  fetch(`${url}/api/auth/session`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

async function resourceMetadataUrl(): Promise<URL> {
  const challenge = (await whoami(undefined)).headers.get('www-authenticate') ?? '';
  return new URL(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '');
}

async function emailAccount(email: string): Promise<void> {
  const now = '2026-03-01T00:00:00.000Z';
  const { db } = world.database;
  const { id: user_id } = await createUser(db, 'Ada', now);
  const password_hash = await createPasswords().hash(PASSWORD, OWN_SHARE);
  await linkEmail(db, { email, user_id, password_hash, linked_at: now, password_changed_at: now });
}

const WAYS: Record<string, (visitor: Visitor, page: Page) => Promise<Page>> = {
  email: async (visitor, page) => {
    await emailAccount('ada@example.org');
    return visitor.withEmail(page, 'ada@example.org', PASSWORD);
  },
  ethereum: (visitor, page) => visitor.withWallet(page, ethereumWallet()),
  solana: (visitor, page) => visitor.withWallet(page, solanaWallet()),
};

for (const [way, registration] of [
  ['email', 'a document'],
  ['ethereum', 'registration'],
  ['solana', 'a document'],
] as const)
  test(`an OAuth client known by ${registration} gets, refreshes and revokes tokens after a sign-in by ${way}`, async () => {
    const testProvider = provider(registration === 'a document' ? `${documents.url}/${way}.json` : undefined);
    const options = { serverUrl: url, resourceMetadataUrl: await resourceMetadataUrl() };
    assert.equal(await auth(testProvider, options), 'REDIRECT');
    assert.equal(testProvider.sent.searchParams.get('resource'), url);

    const visitor = createVisitor(url, createBrowser());
    const first = await visitor.open(Object.fromEntries(testProvider.sent.searchParams));
    assert.equal(first.status, 200);
    const consent = await (WAYS[way] as (typeof WAYS)[string])(visitor, first);
    assert.match(consent.html, /Authorize <bdi class="client">Editor<\/bdi>\?/);
    const answer = await visitor.decide(consent);
    assert.equal(answer.origin + answer.pathname, REDIRECT_URI);
    assert.equal(answer.searchParams.get('state'), 'a state of the client');
    const code = answer.searchParams.get('code') ?? '';
    const iss = answer.searchParams.get('iss') ?? '';
    assert.equal(await auth(testProvider, { ...options, authorizationCode: code, iss }), 'AUTHORIZED');

    const begun = testProvider.held.tokens;
    assert.equal(begun?.scope, 'read write', 'admin is not in the tier');
    assert.equal((await whoami(begun?.access_token)).status, 200);
    assert.equal(await auth(testProvider, options), 'AUTHORIZED', 'the client refreshes');
    const renewed = testProvider.held.tokens;
    assert.notEqual(renewed?.refresh_token, begun?.refresh_token);

    const headers = { authorization: `Bearer ${renewed?.access_token}` };
    const { items } = (await (await fetch(`${url}/api/auth/sessions`, { headers })).json()) as {
      items: { client: unknown; current: boolean }[];
    };
    const { client_id } = testProvider.held.client as { client_id: string };
    assert.deepEqual(items.find(({ current }) => current)?.client, {
      id: client_id,
      name: 'Editor',
      scopes: ['read', 'write'],
    });
    const revoked = await fetch(`${url}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: renewed?.refresh_token ?? '', client_id }),
    });
    assert.equal(revoked.status, 200);
    assert.equal((await whoami(renewed?.access_token)).status, 401);
  });

test('the official MCP client signs in after a 401 at the MCP endpoint, and again for a wider scope', async () => {
  const testProvider = provider(`${documents.url}/mcp.json`);
  const visitor = createVisitor(url, createBrowser());
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/jsonrpc`), { authProvider: testProvider });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const list = () => client.callTool({ name: 'task_list', arguments: {} });
  await assert.rejects(list(), UnauthorizedError);
  assert.equal(testProvider.sent.searchParams.get('resource'), `${url}/mcp/jsonrpc`);
  const first = await visitor.open({ ...Object.fromEntries(testProvider.sent.searchParams), scope: 'read' });
  const consent = await visitor.withWallet(first, ethereumWallet());
  assert.match(consent.html, /Access to the MCP endpoint of Capstan only/);
  await transport.finishAuth((await visitor.decide(consent)).searchParams);
  assert.notEqual((await list()).isError, true);
  assert.equal((await whoami(testProvider.held.tokens?.access_token)).status, 401, 'taken at the MCP endpoint alone');

  const create = { name: 'task_create', arguments: {} };
  await assert.rejects(client.callTool(create), UnauthorizedError);
  assert.match(testProvider.sent.searchParams.get('scope') ?? '', /\bwrite\b/);
  const wider = await visitor.decide(await visitor.open(Object.fromEntries(testProvider.sent.searchParams)));
  await transport.finishAuth(wider.searchParams);
  assert.doesNotMatch(JSON.stringify(await client.callTool(create).catch(String)), /Unauthorized|scope/);
  await client.close();
});
