import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createBrowser } from '#test/fakes/browser.ts';
import { openGoogleStand } from '#test/google-stand.ts';
import { openWorld } from '#test/world.ts';

const stand = await openGoogleStand();
after(() => stand[Symbol.asyncDispose]());

interface Started {
  authorization_url: string;
  state: string;
  code: string;
  detail: string;
}
const bodyOf = async (answer: Response) => (await answer.json()) as Started;

test("200: returns the provider's URL and sets a cookie for this browser", async () => {
  const answer = await stand.start(createBrowser());
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const cookie = answer.headers.get('set-cookie') ?? '';
  assert.match(cookie, /^capstan-google=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  const { authorization_url, state } = await bodyOf(answer);
  const url = new URL(authorization_url);
  assert.equal(url.origin, stand.provider.url);
  assert.equal(url.searchParams.get('state'), state);
  assert.equal(url.searchParams.get('redirect_uri'), `${stand.url}/api/auth/google/callback`);
});

test('200: flows in two tabs of one browser both succeed', async () => {
  const browser = createBrowser();
  const first = await stand.goThrough(browser);
  const second = await stand.goThrough(browser);
  for (const callback of [first, second]) assert.equal((await browser.send(callback)).status, 200);
});

test('200: the body may be omitted', async () => {
  const answer = await fetch(`${stand.url}/api/auth/google/start`, { method: 'POST' });
  assert.equal(answer.status, 200);
  assert.equal(URL.parse((await bodyOf(answer)).authorization_url)?.origin, stand.provider.url);
});

test('400: return_to leads to another host', async () => {
  for (const return_to of ['https://evil.example', '//evil.example', '/\\evil.example', 'account', '']) {
    const answer = await stand.start(createBrowser(), { return_to });
    assert.equal(answer.status, 400, return_to);
    assert.equal((await bodyOf(answer)).code, 'http.invalid');
    assert.equal(answer.headers.get('set-cookie'), null);
  }
});

test('400: unknown fields; 415: content types that a cross-site form could send', async () => {
  assert.equal((await stand.start(createBrowser(), { redirect_uri: 'https://evil.example' })).status, 400);
  const headers = { 'content-type': 'text/plain' };
  assert.equal((await stand.start(createBrowser(), {}, '/api/auth/google/start', headers)).status, 415);
});

test('503: Google is not configured; names both settings and stores nothing', async () => {
  const { client_id } = stand.provider;
  for (const env of [{}, { CAPSTAN_GOOGLE_CLIENT_ID: client_id }] as Record<string, string>[]) {
    await using world = await openWorld(env);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const start = await world.fetch('/api/auth/google/start', init);
    const callback = await world.fetch('/api/auth/google/callback?state=x&code=y');
    for (const answer of [start, callback]) {
      assert.equal(answer.status, 503);
      const { code, detail } = await bodyOf(answer);
      assert.equal(code, 'auth.google_unavailable');
      assert.match(detail, /CAPSTAN_GOOGLE_CLIENT_ID and CAPSTAN_GOOGLE_CLIENT_SECRET/);
    }
    assert.deepEqual(await world.database.db.selectFrom('google_flows').selectAll().execute(), []);
  }
});
