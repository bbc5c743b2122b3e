import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PAGE_COOKIE } from '#accounts/auth/page-cookie.ts';
import { createBrowser } from '#test/fakes/browser.ts';
import { openOAuthStand } from '#test/oauth-stand.ts';

let movedMs = 0;
const clock = { now: () => Date.now() + movedMs };
const stand = await openOAuthStand({ clock });
const { fake } = stand;
after(() => stand[Symbol.asyncDispose]());

/** The result in the redirect. */
function outcomeOf(answer: Response): string | null {
  assert.equal(answer.status, 303);
  return new URL(answer.headers.get('location') ?? '').searchParams.get('oauth');
}

test('303: stores a token bound to this server and sends it no credential of ours', async () => {
  const owner = await stand.newOwner();
  const answer = await stand.signIn(owner);
  assert.equal(answer.status, 303);
  const page = `${stand.url}/dashboard/connections/${owner.connection.id}`;
  assert.equal(answer.headers.get('location'), `${page}?connection=${owner.connection.id}&oauth=connected`);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  const signed = await stand.look(owner.connection);
  assert.equal(signed.auth.type, 'oauth');
  assert.equal(signed.last_error, null);
  const grants = await stand.world.database.db.selectFrom('connection_grants').selectAll().execute();
  const grant = grants.find((grant) => grant.connection_id === owner.connection.id);
  assert.equal(grant?.issuer, fake.issuer);
  assert.equal(grant?.resource, fake.mcp.url);
  assert.equal(grant?.scope, 'read');
  const seen = JSON.stringify([fake.mcp.headers, fake.requests.map((request) => [request.headers, `${request.body}`])]);
  assert.ok(!seen.includes(owner.api_key));
});

test('stores no code verifier, token or client secret as plain text', async () => {
  const { db } = stand.world.database;
  const rows = JSON.stringify([
    await db.selectFrom('connection_grants').selectAll().execute(),
    await db.selectFrom('connection_flows').selectAll().execute(),
    await db.selectFrom('connection_clients').selectAll().execute(),
    await db.selectFrom('connection_secrets').selectAll().execute(),
  ]);
  const { body } = fake.requests.find((request) => request.path === '/token') as (typeof fake.requests)[number];
  assert.ok(!rows.includes(body.get('code_verifier') as string));
  assert.doesNotMatch(rows, /access_token|refresh_token\\*"|client_secret\\*"/);
});

test('303: redirects to return_to with the result', async () => {
  const owner = await stand.newOwner();
  const browser = createBrowser();
  const answer = await browser.send(await stand.goThrough(owner, browser, { return_to: '/account?tab=x#top' }));
  assert.equal(answer.status, 303);
  const { href } = new URL(answer.headers.get('location') ?? '');
  assert.equal(href, `${stand.url}/account?tab=x&connection=${owner.connection.id}&oauth=connected#top`);
});

test('303 for every Accept header, without error text of the server', async () => {
  const owner = await stand.newOwner();
  const browser = createBrowser();
  fake.denies = true;
  for (const accept of ['text/html,application/xhtml+xml;q=0.9', 'application/json', '*/*']) {
    const answer = await browser.send(await stand.goThrough(owner, browser), { headers: { accept } });
    assert.equal(outcomeOf(answer), 'connections.forbidden', accept);
    assert.doesNotMatch(`${answer.headers.get('location')}${await answer.text()}`, /no</);
  }
  fake.denies = false;
});

test('303: reports connections.forbidden if the user denied access', async () => {
  const owner = await stand.newOwner();
  fake.denies = true;
  const there = await stand.goThrough(owner, createBrowser(), { return_to: '/' });
  const plain = await stand.signIn(owner);
  fake.denies = false;
  assert.equal(outcomeOf(plain), 'connections.forbidden');
  assert.equal(outcomeOf(await createBrowser().send(there)), 'connections.oauth_state_invalid');
  assert.equal((await stand.look(owner.connection)).auth.type, 'none');
});

test('303: of four concurrent callbacks one succeeds, and a replay is rejected', async () => {
  const browser = createBrowser();
  const callback = await stand.goThrough(await stand.newOwner(), browser);
  const answers = await Promise.all([1, 2, 3, 4].map(() => browser.send(callback)));
  const used = 'connections.oauth_state_invalid';
  assert.deepEqual(answers.map(outcomeOf).sort(), ['connected', used, used, used]);
  assert.equal(outcomeOf(await browser.send(callback)), used);
});

test('303: a callback opened in another browser is rejected and still works in the original one', async () => {
  const browser = createBrowser();
  const callback = await stand.goThrough(await stand.newOwner(), browser);
  const stranger = createBrowser();
  await stand.start(await stand.newOwner(), stranger);
  for (const thief of [createBrowser(), stranger])
    assert.equal(outcomeOf(await thief.send(callback)), 'connections.oauth_state_invalid');
  assert.equal(outcomeOf(await browser.send(callback)), 'connected');
});

test('303: rejected if another user has started a flow in the same browser since', async () => {
  const browser = createBrowser();
  const callback = await stand.goThrough(await stand.newOwner(), browser);
  await stand.start(await stand.newOwner(), browser);
  assert.equal(outcomeOf(await browser.send(callback)), 'connections.oauth_state_invalid');
});

test('303: rejected if another user is signed in on our pages; accepted if the same user is', async () => {
  const [one, other] = [await stand.newOwner(), await stand.newOwner()];
  for (const [here, code] of [
    [other, 'connections.oauth_state_invalid'],
    [one, 'connected'],
  ] as const) {
    const browser = createBrowser();
    const callback = await stand.goThrough(one, browser);
    browser.cookies(stand.url).set(PAGE_COOKIE, here.account.token);
    assert.equal(outcomeOf(await browser.send(callback)), code);
    assert.equal((await stand.look(one.connection)).auth.type, code === 'connected' ? 'oauth' : 'none');
  }
});

test('303: flows in two tabs of one user both succeed', async () => {
  const owner = await stand.newOwner();
  const browser = createBrowser();
  const callbacks = [await stand.goThrough(owner, browser), await stand.goThrough(owner, browser)];
  for (const callback of callbacks) assert.equal(outcomeOf(await browser.send(callback)), 'connected');
});

test('303: rejects an expired or unknown state and a deleted connection', async () => {
  const owner = await stand.newOwner();
  const browser = createBrowser();
  const late = await stand.goThrough(owner, browser);
  movedMs += 601_000;
  assert.equal(outcomeOf(await browser.send(late)), 'connections.oauth_state_invalid');
  const callback = await stand.goThrough(owner, browser);
  await stand.world.database.db.deleteFrom('connections').where('id', '=', owner.connection.id).execute();
  for (const url of [callback, callback.replace(/state=[^&]+/, 'state=x')])
    assert.equal(outcomeOf(await browser.send(url)), 'connections.oauth_state_invalid');
  movedMs = 0;
});

test('303: a response that names another issuer fails, and its code is not sent to any token endpoint', async () => {
  const owner = await stand.newOwner();
  const before = fake.requests.filter((request) => request.path === '/token').length;
  for (const iss of ['https://evil.example', `${fake.issuer}/`, null]) {
    fake.iss = iss;
    assert.equal(outcomeOf(await stand.signIn(owner)), 'connections.oauth_failed', `${iss}`);
    fake.denies = true;
    assert.equal(outcomeOf(await stand.signIn(owner)), 'connections.oauth_failed', `${iss}, denied`);
    fake.denies = false;
  }
  fake.iss = fake.issuer;
  assert.equal(
    fake.requests.filter((request) => request.path === '/token').length,
    before,
    'no code was sent anywhere',
  );
});

test('303: an invalid, failing, redirecting or oversized token response gets one request, and nothing is stored', async () => {
  const owner = await stand.newOwner();
  const cases: [string, (response: import('node:http').ServerResponse) => unknown][] = [
    ['connections.oauth_failed', (response) => response.writeHead(400).end('{"error":"invalid_grant"}')],
    ['connections.oauth_failed', (response) => response.writeHead(200).end('{"error":"bad_code"}')],
    ['connections.oauth_failed', (response) => response.writeHead(200).end('{"access_token":"x"}')],
    ['connections.oauth_failed', (response) => response.writeHead(200).end('{"access_token":"x","token_type":"mac"}')],
    ['connections.oauth_failed', (response) => response.writeHead(500).end('no')],
    [
      'connections.oauth_failed',
      (response) => response.writeHead(200).end(`{"token_type":"Bearer","access_token":"${'x'.repeat(20_000)}"}`),
    ],
    [
      'connections.oauth_failed',
      (response) => response.writeHead(200).end('{"token_type":"Bearer","access_token":"a\\nb"}'),
    ],
    ['outbound.failed', (response) => response.writeHead(307, { location: `${fake.issuer}/else` }).end()],
    ['outbound.failed', (response) => response.writeHead(200).end(' '.repeat(300_000))],
  ];
  for (const [code, respond] of cases) {
    fake.requests.length = 0;
    fake.fault = (path, response) => path === '/token' && Boolean(respond(response) ?? true);
    assert.equal(outcomeOf(await stand.signIn(owner)), code);
    assert.equal(fake.requests.filter((request) => request.path === '/token').length, 1);
  }
  fake.fault = () => false;
  assert.equal((await stand.look(owner.connection)).auth.type, 'none');
});

test('a client that its issuer has forgotten is registered again once an authorization did not come back', async () => {
  const [owner, other] = [await stand.newOwner(), await stand.newOwner()];
  // Later than the registrations of the tests before.
  movedMs = 1_300_000;
  await stand.signIn(owner);
  fake.forgetClients();
  const before = fake.registered.length;
  const stuck = await stand.goThrough(owner, createBrowser());
  assert.equal(new URL(stuck).origin, fake.issuer, 'the issuer shows an error and does not redirect');
  movedMs += 1_300_000;
  assert.equal(outcomeOf(await stand.signIn(owner)), 'connected');
  assert.equal(outcomeOf(await stand.signIn(other)), 'connected');
  assert.equal(fake.registered.length, before + 1, 'one registration serves everybody');
  movedMs = 0;
});

test("a connection has the account of its issuer's ID token, and another one after another sign-in", async () => {
  const owner = await stand.newOwner();
  const [ada, grace] = ['ada@example.org', 'grace@example.org'];
  const steps = [
    [ada, 'connected', undefined],
    [ada, 'connected', undefined],
    [grace, 'other_account', ada],
    [grace, 'connected', undefined],
    [null, 'other_account', grace],
  ] as const;
  for (const [account, outcome, before] of steps) {
    fake.account = account;
    assert.equal(outcomeOf(await stand.signIn(owner)), outcome);
    const { auth } = await stand.look(owner.connection);
    assert.deepEqual([auth.account, auth.previous_account], [account ?? undefined, before]);
  }
  fake.account = null;
});

test('an invalid_client error makes the next start register a new client', async () => {
  const owner = await stand.newOwner();
  fake.fault = (path, response) =>
    path === '/token' && Boolean(response.writeHead(401).end('{"error":"invalid_client"}'));
  assert.equal(outcomeOf(await stand.signIn(owner)), 'connections.oauth_failed');
  fake.fault = () => false;
  const before = fake.registered.length;
  assert.equal(outcomeOf(await stand.signIn(owner)), 'connected');
  assert.equal(fake.registered.length, before + 1);
});
