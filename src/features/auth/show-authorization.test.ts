import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { STAND_URL } from '../../../test/auth-stand.ts';
import { authorizationStand, REDIRECT_URI, registered, testClient } from '../../../test/authorization-stand.ts';
import { sqliteConfig } from '../../../test/databases.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { openDatabase } from '../../platform/db/open.ts';

const { config, drop } = await sqliteConfig();
const database = await openDatabase(config);
await migrate(database);
const stand = await authorizationStand(database);
const { client, user, visitor } = stand;
after(async () => {
  await database.close();
  await drop();
});

const nobody = await visitor();
const evil = '"><script>alert(1)</script><b x="';

test('200: the page to sign in; signed in, the page that asks', async () => {
  const first = await nobody.open(client.query());
  assert.equal(first.status, 200);
  assert.match(first.html, /Sign in to Capstan/);
  assert.match(first.html, /Unverified/);
  const asked = await (await visitor(user)).open(client.query());
  assert.match(asked.html, /Let <bdi class="client">An editor<\/bdi> in\?/);
  assert.match(asked.html, /See what is yours.*Act for you/s);
  assert.doesNotMatch(asked.html, /Manage your account/, 'not asked for');
  assert.match(asked.html, /this computer<\/strong> \(127\.0\.0\.1:8765\)/);
  const { headers } = asked;
  const policy = headers.get('content-security-policy') ?? '';
  for (const part of [
    "script-src 'self'",
    "frame-ancestors 'none'",
    "form-action 'self' http://127.0.0.1:8765 https:;",
  ])
    assert.ok(policy.includes(part), policy);
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.deepEqual([headers.get('x-frame-options'), headers.get('cache-control')], ['DENY', 'no-store']);
});

test('text of strangers stays text, wherever it stands', async () => {
  const hostile = await registered(stand.send, { client_name: `${evil}\u202e\u200b` });
  const query = hostile.query({ state: evil, scope: `read ${evil}`, resource: STAND_URL, prompt: evil });
  for (const it of [nobody, await visitor(user)]) {
    const page = await it.open(query);
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.html, /<script>|<b x|\u202e|\u200b/);
    assert.match(page.html, /⟨U\+202E⟩/);
    assert.equal(
      new URLSearchParams(page.fields('/oauth/sign-in/email').request ?? `state=${encodeURIComponent(evil)}`).get(
        'state',
      ),
      evil,
    );
  }
  const refused = await nobody.open(client.query({ redirect_uri: `https://${evil}` }));
  assert.doesNotMatch(refused.html, /<script>/);
});

/** The status, and where the browser is sent. */
const look = async (more: Record<string, string | undefined>, it = client) => {
  const { status, headers, html } = await nobody.open(it.query(more));
  const code = /\/docs\/errors\/([\w.]+)/.exec(html)?.[1];
  return { status, location: headers.get('location'), code, html };
};

test('400, on our page and sent nowhere: whose request it is, and where its answer goes', async () => {
  const unknown = { status: 400, location: null, code: 'auth.client_unknown' };
  for (const client_id of [undefined, 'x', '0197a000-0000-7000-8000-0000000000e1', ''])
    assert.deepEqual({ ...(await look({ client_id })), html: '' }, { ...unknown, html: '' });
  const elsewhere = [
    ...[undefined, '', 'https://evil.example/', `${REDIRECT_URI}/../x`, `${REDIRECT_URI}#x`, `${REDIRECT_URI}?x`],
    ...['http://user@127.0.0.1:8765/callback', 'http://127.0.0.1.evil.example/callback', 'javascript:alert(1)'],
  ];
  for (const redirect_uri of elsewhere) {
    const { status, location, code } = await look({ redirect_uri });
    assert.deepEqual([status, location, code], [400, null, 'auth.redirect_refused'], `${redirect_uri}`);
  }
  assert.equal((await look({ redirect_uri: 'http://127.0.0.1:1/callback' })).status, 200, 'another port of loopback');
});

const REFUSED: [string, Record<string, string | undefined>][] = [
  ['unsupported_response_type', { response_type: 'token' }],
  ['invalid_request', { code_challenge: undefined }],
  ['invalid_request', { code_challenge_method: 'plain' }],
  ['invalid_request', { code_challenge_method: undefined }],
  ['invalid_request', { code_challenge: 'short' }],
  ['invalid_target', { resource: 'https://else.example/mcp' }],
  ['invalid_target', { resource: `${STAND_URL}/mcp` }],
  ['invalid_scope', { scope: 'root' }],
  ['interaction_required', { prompt: 'none' }],
];

test('303: what cannot be granted is told to a program on the user’s machine, with state and iss', async () => {
  for (const [error, more] of REFUSED) {
    const { status, location } = await look({ ...more, state: 'the state' });
    assert.equal(status, 303);
    const { searchParams, origin, pathname } = new URL(location ?? '');
    assert.deepEqual(
      [origin + pathname, searchParams.get('error'), searchParams.get('state'), searchParams.get('iss')],
      [REDIRECT_URI, error, 'the state', STAND_URL],
    );
  }
});

test('400: a website is told nothing by itself, so that our address leads nobody there', async () => {
  const redirect_uri = 'https://evil.example/landing';
  const site = await registered(stand.send, { redirect_uris: [redirect_uri] });
  for (const [, more] of REFUSED) {
    const { status, location, code, html } = await look({ ...more, redirect_uri }, site);
    assert.deepEqual([status, location, code], [400, null, 'auth.authorization_refused']);
    assert.match(html, /href="https:\/\/evil\.example\/landing\?error=/);
  }
});

test('programs get problems, not pages', async () => {
  const answer = await stand.send('/oauth/authorize?client_id=x');
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  const twice = await stand.send(`/oauth/authorize?client_id=${client.client_id}&client_id=x`);
  assert.equal(twice.status, 400);
});

test('a token that is no page’s session is nobody’s', async () => {
  const { access_token = '' } = await stand.grant({ resource: STAND_URL });
  const it = await visitor(user);
  it.browser.cookies(STAND_URL).set('__Host-capstan-token', access_token);
  assert.match((await it.open(client.query())).html, /Sign in to Capstan/);
  assert.match((await nobody.open(testClient(stand.send, client.client_id).query())).html, /Sign in to Capstan/);
});
