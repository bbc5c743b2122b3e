import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { JWTPayload } from 'jose';
import { PAGE_COOKIE } from '#accounts/auth/page-cookie.ts';
import type { SignedIn } from '#accounts/auth/signed-in.ts';
import { linkEmail } from '#accounts/users/identities.ts';
import { createUser } from '#accounts/users/users.ts';
import { createVisitor, registered } from '#test/authorization-client.ts';
import { type Browser, createBrowser } from '#test/fakes/browser.ts';
import { openGoogleStand } from '#test/google-stand.ts';

const stand = await openGoogleStand({ CAPSTAN_LIMIT_GOOGLE: '10000/1m' });
after(() => stand[Symbol.asyncDispose]());
const { provider, world, url } = stand;
const { db } = world.database;

let people = 0;
beforeEach(() => {
  provider.subject = `person-${people++}`;
  provider.accounts[provider.subject] = {
    email: `${provider.subject}@example.org`,
    email_verified: true,
    name: 'Ada \u202ELovelace',
  };
  provider.denies = false;
  provider.forge = null;
  provider.fault = () => false;
});

async function refused(answer: Response, status: number, code: string): Promise<void> {
  const body = (await answer.json()) as { code: string };
  assert.deepEqual([answer.status, body.code], [status, code]);
  assert.equal(answer.headers.get('set-cookie'), null);
}
async function signedIn(answer: Response): Promise<SignedIn> {
  assert.equal(answer.status, 200, answer.status === 200 ? '' : await answer.text());
  return (await answer.json()) as SignedIn;
}
const me = (accessToken: string) =>
  fetch(`${url}/api/auth/session`, { headers: { authorization: `Bearer ${accessToken}` } });
const users = async () => (await db.selectFrom('users').selectAll().execute()).length;

test('200: creates an account with a working token, and signs in to it the next time', async () => {
  const answer = await stand.signIn();
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  const first = await signedIn(answer);
  assert.deepEqual(
    [first.token_type, first.expires_in, first.user.display_name, first.user.tier],
    ['Bearer', 86_400, 'Ada Lovelace', 'free'],
  );
  assert.equal((await me(first.access_token)).status, 200);
  const again = await signedIn(await stand.signIn());
  assert.equal(again.user.id, first.user.id);
  assert.notEqual(again.access_token, first.access_token);
});

test('303: redirects to return_to, with the token in the session cookie and never in a URL', async () => {
  const browser = createBrowser();
  const answer = await stand.signIn(browser, { return_to: '/account?tab=keys#top' });
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), `${url}/account?tab=keys#top`);
  assert.equal(await answer.text(), '');
  assert.match(answer.headers.get('set-cookie') ?? '', /; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/);
  const token = browser.cookies(url).get(PAGE_COOKIE) ?? '';
  assert.equal((await me(token)).status, 200);
  assert.ok(![...answer.headers].some(([name, value]) => name !== 'set-cookie' && value.includes(token)));
});

test('200: ignores parameters that the provider adds', async () => {
  const browser = createBrowser();
  const callback = await stand.goThrough(browser);
  await signedIn(await browser.send(`${callback}&scope=openid&authuser=0&prompt=consent&hd=example.org&response=x`));
});

test('400: no state, or two', async () => {
  const browser = createBrowser();
  const callback = await stand.goThrough(browser);
  await refused(await browser.send(`${url}/api/auth/google/callback?code=x`), 400, 'http.invalid');
  await refused(await browser.send(`${callback}&state=other`), 400, 'http.invalid');
  await signedIn(await browser.send(callback));
});

test('401: the state was modified', async () => {
  const browser = createBrowser();
  const callback = new URL(await stand.goThrough(browser));
  const state = callback.searchParams.get('state') as string;
  for (const other of [`${state}x`, state.slice(1), state.toUpperCase(), 'x', '']) {
    callback.searchParams.set('state', other);
    await refused(await browser.send(callback.href), 401, 'auth.google_sign_in_invalid');
  }
});

test('401: another browser cannot use the callback, with or without its own flow', async () => {
  const [victim, attacker] = [createBrowser(), createBrowser()];
  const callback = await stand.goThrough(attacker);
  await refused(await victim.send(callback), 401, 'auth.google_sign_in_invalid');
  await stand.start(victim);
  await refused(await victim.send(callback), 401, 'auth.google_sign_in_invalid');
  await signedIn(await attacker.send(callback));
});

test('401: a callback works only once, whether it succeeded or not', async () => {
  const browser = createBrowser();
  const callback = await stand.goThrough(browser);
  await signedIn(await browser.send(callback));
  await refused(await browser.send(callback), 401, 'auth.google_sign_in_invalid');
  const bad = (await stand.goThrough(browser)).replace(/code=[^&]+/, 'code=made-up');
  await refused(await browser.send(bad), 401, 'auth.google_sign_in_invalid');
  await refused(await browser.send(bad), 401, 'auth.google_sign_in_invalid');
});

test('of 20 concurrent callbacks, one signs in and the others get 401', async () => {
  const browser = createBrowser();
  const callback = await stand.goThrough(browser);
  const answers = await Promise.all(Array.from({ length: 20 }, () => browser.send(callback)));
  assert.deepEqual(
    answers.map((answer) => answer.status).toSorted((a, b) => a - b),
    [200, ...Array(19).fill(401)],
  );
});

test('401: the flow has expired', async () => {
  const browser = createBrowser();
  const callback = await stand.goThrough(browser);
  await db.updateTable('google_flows').set({ expires_at: new Date().toISOString() }).execute();
  await refused(await browser.send(callback), 401, 'auth.google_sign_in_invalid');
});

const HOUR_S = 3_600;
const nowS = () => Math.floor(Date.now() / 1_000);
const FORGERIES: Record<string, (claims: JWTPayload) => { claims?: JWTPayload; key?: 'other' }> = {
  'for another audience': (claims) => ({ claims: { ...claims, aud: 'another-client' } }),
  'for several audiences': (claims) => ({ claims: { ...claims, aud: [claims.aud as string, 'another-client'] } }),
  'of another issuer': (claims) => ({ claims: { ...claims, iss: 'https://accounts.google.com' } }),
  'with another nonce': (claims) => ({ claims: { ...claims, nonce: 'x' } }),
  'without a nonce': ({ nonce: _nonce, ...claims }) => ({ claims }),
  'that has expired': (claims) => ({ claims: { ...claims, iat: nowS() - 2 * HOUR_S, exp: nowS() - HOUR_S } }),
  'without an expiry': ({ exp: _exp, ...claims }) => ({ claims }),
  'without a subject': ({ sub: _sub, ...claims }) => ({ claims }),
  'signed by another key': () => ({ key: 'other' }),
};

for (const [what, forge] of Object.entries(FORGERIES))
  test(`401: an ID token ${what} is rejected`, async () => {
    const before = await users();
    const browser = createBrowser();
    const callback = await stand.goThrough(browser);
    provider.forge = forge;
    await refused(await browser.send(callback), 401, 'auth.google_sign_in_invalid');
    assert.equal(await users(), before);
  });

test('401: the callback names another issuer or none', async () => {
  for (const change of [
    (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
    (url: URL) => url.searchParams.delete('iss'),
  ]) {
    const browser = createBrowser();
    const callback = new URL(await stand.goThrough(browser));
    assert.equal(callback.searchParams.get('iss'), provider.url);
    change(callback);
    await refused(await browser.send(callback.href), 401, 'auth.google_sign_in_invalid');
  }
});

test('401: the code belongs to another flow', async () => {
  const browser = createBrowser();
  const stolen = new URL(await stand.goThrough(createBrowser())).searchParams.get('code') as string;
  const callback = new URL(await stand.goThrough(browser));
  callback.searchParams.set('code', stolen);
  await refused(await browser.send(callback.href), 401, 'auth.google_sign_in_invalid');
});

test('403: the user declined, and the flow cannot be used again', async () => {
  const browser = createBrowser();
  provider.denies = true;
  const callback = await stand.goThrough(browser);
  await refused(await browser.send(callback), 403, 'auth.google_denied');
  await refused(await browser.send(callback), 401, 'auth.google_sign_in_invalid');
});

test('409: the verified email address has an account; an unverified address is ignored', async () => {
  const { id: user_id } = await createUser(db, 'Ada', '2026-01-02T03:04:05.000Z');
  const [linked_at, email] = ['2026-01-02T03:04:05.000Z', `${provider.subject}@example.org`];
  await linkEmail(db, { email, user_id, linked_at, password_hash: 'h', password_changed_at: linked_at });
  await refused(await stand.signIn(), 409, 'auth.identity_conflict');
  provider.accounts[provider.subject] = { email, email_verified: false };
  const { user } = await signedIn(await stand.signIn());
  assert.notEqual(user.id, user_id);
  assert.equal(user.display_name, '');
});

async function tokenFault(browser: Browser, fault: typeof provider.fault): Promise<Response> {
  const callback = await stand.goThrough(browser);
  provider.fault = (path, response) => path === '/token' && fault(path, response);
  return browser.send(callback);
}

test('502: the provider fails, rejects the client, or redirects a request with our secret', async () => {
  const json = { 'content-type': 'application/json' };
  const failed = await tokenFault(createBrowser(), (_path, response) => Boolean(response.writeHead(500).end()));
  await refused(failed, 502, 'auth.google_failed');
  provider.fault = () => false;
  const client = await tokenFault(createBrowser(), (_path, response) =>
    Boolean(response.writeHead(401, json).end('{"error":"invalid_client"}')),
  );
  await refused(client, 502, 'auth.google_failed');
  provider.fault = () => false;
  const away = await tokenFault(createBrowser(), (_path, response) =>
    Boolean(response.writeHead(307, { location: `${provider.url}/elsewhere` }).end()),
  );
  await refused(away, 502, 'outbound.failed');
  assert.ok(!provider.requests.includes('/elsewhere'));
});

test('502: an error text of the provider is not repeated', async () => {
  const browser = createBrowser();
  const { state } = (await (await stand.start(browser)).json()) as { state: string };
  const query = new URLSearchParams({
    state,
    error: 'server_error',
    error_description: '<b>hello</b>',
    iss: provider.url,
  });
  const answer = await browser.send(`${url}/api/auth/google/callback?${query}`);
  assert.ok(!(await answer.clone().text()).includes('hello'));
  await refused(answer, 502, 'auth.google_failed');
});

test('303: returns to the consent page, which asks for consent or reports that the user declined', async () => {
  const client = await registered((path, init) => fetch(url + path, init));
  for (const denies of [false, true]) {
    provider.denies = denies;
    const visitor = createVisitor(url);
    const page = await visitor.open(client.query());
    const toGoogle = await visitor.submit(page, '/oauth/sign-in/google');
    const callback = `${url}/api/auth/google/callback`;
    const { url: back } = await visitor.browser.visit(toGoogle.headers.get('location') ?? '', callback);
    const next = await visitor.follow(await visitor.browser.send(back));
    assert.match(next.html, denies ? /You declined the Google sign-in/ : /Signed in as/);
    if (!denies) assert.ok((await visitor.decide(next)).searchParams.get('code'));
  }
});
