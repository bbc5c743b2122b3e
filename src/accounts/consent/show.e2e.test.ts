import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMetadata } from '#accounts/oauth/client.ts';
import { createFindClient } from '#accounts/oauth/find-client.ts';
import { REDIRECT_URI } from '#test/authorization-client.ts';
import { PAGES_URL, pageDeps, QUERY } from '#test/page-deps.ts';
import { showAuthorization } from './show.ts';

/** Without a session; decide.db.test.ts covers signed-in users. */

const SITE = 'https://evil.example/landing';
const evil = '"><script>alert(1)</script><b x="';
const DOCUMENTS: Record<string, object> = {
  [QUERY.client_id as string]: { client_name: 'Editor', redirect_uris: [REDIRECT_URI] },
  'https://evil.example/site.json': { client_name: `${evil}\u202e\u200b`, redirect_uris: [SITE] },
};
const readDocument = async (id: string) => ({ id, host: new URL(id).host, ...readMetadata(DOCUMENTS[id] ?? {}) });
const findClient = createFindClient({ db: null as never, clock: { now: () => 0 }, readDocument });
const handler = showAuthorization(pageDeps({ findClient }));

async function open(more: Record<string, string | undefined> = {}, accept = 'text/html,*/*;q=0.8') {
  const {
    status = 200,
    body,
    headers = {},
  } = await handler({ query: { ...QUERY, ...more }, headers: { accept } } as never);
  const html = `${body}`;
  const code = /\/docs\/errors\/([\w.]+)/.exec(html)?.[1];
  return { status, html, headers, code, location: headers.location ?? null };
}

test('200: the sign-in page cannot be framed and loads nothing from other hosts', async () => {
  const { status, html, headers } = await open();
  assert.equal(status, 200);
  assert.match(html, /to continue to <bdi class="client">Editor<\/bdi>/);
  assert.match(html, /editor\.example<\/span> published this client’s metadata/);
  const policy = headers['content-security-policy'] ?? '';
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'self';"])
    assert.ok(policy.includes(part), policy);
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.match(headers['set-cookie'] ?? '', /^__Host-capstan-page=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/);
});

test('200: untrusted text of clients and parameters is escaped', async () => {
  const more = {
    client_id: 'https://evil.example/site.json',
    redirect_uri: SITE,
    state: evil,
    scope: `read ${evil}`,
    prompt: evil,
  };
  const { status, html } = await open(more);
  assert.equal(status, 200);
  assert.doesNotMatch(html, /<script>|<b x|\u202e|\u200b/);
  assert.match(html, /⟨U\+202E⟩/);
  for (const more of [{ redirect_uri: `https://${evil}` }, { client_id: evil }, { problem: evil }])
    assert.doesNotMatch((await open(more)).html, /<script>/);
});

test('400: an unknown client or redirect URI is shown on our page without a redirect', async () => {
  for (const client_id of [undefined, '', 'x', 'javascript:x']) {
    const { status, location, code } = await open({ client_id });
    assert.deepEqual([status, location, code], [400, null, 'auth.oauth_invalid']);
  }
  const elsewhere = [
    undefined,
    '',
    SITE,
    `${REDIRECT_URI}/../x`,
    `${REDIRECT_URI}#x`,
    `${REDIRECT_URI}?x`,
    'javascript:alert(1)',
    ...[
      'http://user@127.0.0.1:8765/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://127.0.0.1:8765/callbac',
    ],
  ];
  for (const redirect_uri of elsewhere) {
    const { status, location, code } = await open({ redirect_uri, response_type: 'token' });
    assert.deepEqual([status, location, code], [400, null, 'auth.oauth_invalid'], `${redirect_uri}`);
  }
  assert.equal((await open({ redirect_uri: 'http://127.0.0.1:1/callback' })).status, 200, 'another port of loopback');
});

const REFUSED: [string, Record<string, string | undefined>][] = [
  ['unsupported_response_type', { response_type: 'token' }],
  ['invalid_request', { code_challenge: undefined }],
  ['invalid_request', { code_challenge_method: 'plain' }],
  ['invalid_request', { code_challenge_method: undefined }],
  ['invalid_request', { code_challenge: 'short' }],
  ['invalid_target', { resource: 'https://else.example/mcp' }],
  ['invalid_target', { resource: `${PAGES_URL}/mcp/mine` }],
  ['invalid_scope', { scope: 'root' }],
  ['interaction_required', { prompt: 'none' }],
];

test('303: other errors are redirected to a loopback client, with state and iss', async () => {
  for (const [error, more] of REFUSED) {
    const { status, location } = await open({ ...more, state: 'the state' });
    assert.equal(status, 303);
    const { searchParams, origin, pathname } = new URL(location ?? '');
    assert.deepEqual(
      [origin + pathname, searchParams.get('error'), searchParams.get('state'), searchParams.get('iss')],
      [REDIRECT_URI, error, 'the state', PAGES_URL],
    );
  }
});

test('400: errors are not redirected to a website, so that the service is not an open redirector', async () => {
  for (const [, more] of REFUSED) {
    const page = await open({ ...more, client_id: 'https://evil.example/site.json', redirect_uri: SITE });
    assert.deepEqual([page.status, page.location, page.code], [400, null, 'auth.oauth_invalid']);
    assert.match(page.html, /href="https:\/\/evil\.example\/landing\?error=/);
  }
});

test('API clients get problems instead of pages', async () => {
  await assert.rejects(open({ client_id: 'x' }, '*/*'), { code: 'auth.oauth_invalid', reason: 'client_unknown' });
  await assert.rejects(open({ redirect_uri: 'x' }, 'application/json'), {
    code: 'auth.oauth_invalid',
    reason: 'redirect_uri',
  });
});

test('a failed Google sign-in is reported in our own words', async () => {
  assert.match((await open({ problem: 'account_exists' })).html, /Sign in with email\./);
  assert.match((await open({ problem: 'constructor' })).html, /was not completed/);
});
