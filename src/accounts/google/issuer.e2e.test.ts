import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemClock } from '#core/clock/clock.ts';
import { createOutbound, type OutboundFetch } from '#core/outbound/outbound.ts';
import { Problem } from '#core/problem/problem.ts';
import { type OpenIdProvider, startOpenIdProvider } from '#test/fakes/openid-provider.ts';
import { newSecrets } from './flows.ts';
import { createIssuer, type IssuerOptions } from './issuer.ts';

const REDIRECT = 'http://127.0.0.1:1/api/auth/google/callback';
const outbound = createOutbound({ allow_loopback: true, user_agent: 'capstan-test' });
const provider = await startOpenIdProvider(REDIRECT);
after(async () => {
  await outbound.close();
  await provider.close();
});

function issuerOf(
  more: Partial<IssuerOptions['config']> = {},
  fetch: OutboundFetch = outbound.fetch,
  clock = systemClock,
) {
  const { client_id, client_secret, url: issuer } = provider;
  return createIssuer({ config: { client_id, client_secret, issuer, ...more }, fetch, clock });
}
const begin = (issuer = issuerOf()) => issuer.authorizationUrl({ ...newSecrets(), redirect_uri: REDIRECT });
const fails = (promise: Promise<unknown>, kind: string, code: string) =>
  assert.rejects(promise, (error) => error instanceof Problem && `${error.kind} ${error.code}` === `${kind} ${code}`);

/** Answers discovery in place of the provider. */
async function answering(fault: OpenIdProvider['fault'], run: () => Promise<unknown>): Promise<void> {
  provider.fault = fault;
  try {
    await run();
  } finally {
    provider.fault = () => false;
  }
}

test('the authorization request has PKCE, state and nonce, and only identity scopes', async () => {
  const secrets = newSecrets();
  const url = new URL(await issuerOf().authorizationUrl({ ...secrets, redirect_uri: REDIRECT }));
  const query = Object.fromEntries(url.searchParams);
  assert.equal(url.origin, provider.url);
  assert.match(query.code_challenge ?? '', /^[\w-]{43}$/);
  assert.notEqual(query.code_challenge, secrets.code_verifier);
  const { state, nonce } = secrets;
  const expected = { state, nonce, redirect_uri: REDIRECT, client_id: provider.client_id };
  const fixed = { response_type: 'code', scope: 'openid email profile', code_challenge_method: 'S256' };
  assert.deepEqual(query, { ...expected, ...fixed, code_challenge: query.code_challenge });
});

test('provider metadata is fetched once an hour, also for concurrent requests, and failures are not cached', async () => {
  let now = Date.now();
  const issuer = issuerOf({}, outbound.fetch, { now: () => now });
  const asked = () => provider.requests.filter((request) => request === '/.well-known/openid-configuration').length;
  const before = asked();
  await answering(
    (_path, response) => Boolean(response.writeHead(503).end()),
    () => fails(begin(issuer), 'upstream_failed', 'auth.google_failed'),
  );
  await Promise.all([begin(issuer), begin(issuer), begin(issuer)]);
  await begin(issuer);
  assert.equal(asked() - before, 2);
  now += 3_600_001;
  await begin(issuer);
  assert.equal(asked() - before, 3);
});

test('503: without a client, names both settings', async () => {
  for (const missing of [{ client_id: null }, { client_secret: null }]) {
    const issuer = issuerOf(missing);
    await fails(begin(issuer), 'unavailable', 'auth.google_unavailable');
    assert.throws(() => issuer.requireConfigured(), /CAPSTAN_GOOGLE_CLIENT_ID and CAPSTAN_GOOGLE_CLIENT_SECRET/);
  }
});

test('504: the provider does not respond; 502: it is unreachable', async () => {
  const hasty: OutboundFetch = (url, init) => outbound.fetch(url, { ...init, timeout_ms: 100 });
  await answering(
    () => true,
    () => fails(begin(issuerOf({}, hasty)), 'upstream_timeout', 'outbound.timeout'),
  );
  await fails(begin(issuerOf({ issuer: 'http://127.0.0.1:1' })), 'upstream_failed', 'outbound.failed');
});

test("502: the provider's metadata names another issuer, redirects or is invalid", async () => {
  const json = { 'content-type': 'application/json' };
  await answering(
    (_path, response) => Boolean(response.writeHead(200, json).end('{"issuer":"https://evil.example"}')),
    () => fails(begin(), 'upstream_failed', 'auth.google_failed'),
  );
  await answering(
    (_path, response) => Boolean(response.writeHead(302, { location: `${provider.url}/elsewhere` }).end()),
    () => fails(begin(), 'upstream_failed', 'outbound.failed'),
  );
  for (const body of ['{', '<html>', '[]', 'null', `"${'x'.repeat(1024 * 1024)}"`])
    await answering(
      (_path, response) => Boolean(response.writeHead(200, json).end(body)),
      () => assert.rejects(begin(), (error) => error instanceof Problem && error.kind === 'upstream_failed'),
    );
});

test('a provider on this host is not contacted in production', async () => {
  const strict = createOutbound({ allow_loopback: false, user_agent: 'capstan-test' });
  await fails(begin(issuerOf({}, strict.fetch)), 'upstream_failed', 'outbound.failed');
  await strict.close();
});
