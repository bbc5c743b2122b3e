import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createBrowser } from '#test/fakes/browser.ts';
import { type Owner, openOAuthStand } from '#test/oauth-stand.ts';

const stand = await openOAuthStand();
const { fake } = stand;
after(() => stand[Symbol.asyncDispose]());

const LANDING = 'http://127.0.0.1:9/callback';

/** Goes through the authorization server in any browser. Returns what the loopback program receives. */
async function bring(owner: Owner): Promise<Record<string, string>> {
  const answer = await stand.start(owner, createBrowser(), { return_to: LANDING });
  assert.equal(answer.headers.get('set-cookie'), null);
  const { authorization_url } = (await answer.json()) as { authorization_url: string };
  const { url } = await createBrowser().visit(authorization_url, LANDING);
  return Object.fromEntries(new URL(url).searchParams);
}

async function complete({ api_key, connection }: Owner, body: object) {
  const answer = await fetch(`${stand.url}/api/sessions/connections/${connection.id}/oauth/complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${api_key}` },
    body: JSON.stringify(body),
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { code?: string; reason?: string; auth?: { type: string } },
  };
}

test('200: a program completes an authorization with code and state, once', async () => {
  const owner = await stand.newOwner();
  const brought = await bring(owner);
  const done = await complete(owner, brought);
  assert.deepEqual([done.status, done.body.auth?.type], [200, 'oauth'], JSON.stringify(done.body));
  assert.equal((await stand.look(owner.connection)).status, 'ready');
  assert.deepEqual((await complete(owner, brought)).body.code, 'connections.oauth_state_invalid');
});

test('401: rejects a code of another user, for another connection, or with the state of a browser flow', async () => {
  const [owner, stranger] = [await stand.newOwner(), await stand.newOwner()];
  const brought = await bring(owner);
  assert.equal((await complete(stranger, brought)).body.code, 'connections.oauth_state_invalid');
  const borrowed = { ...stranger, connection: owner.connection };
  assert.equal((await complete(borrowed, brought)).body.code, 'connections.not_found');
  const callback = new URL(await stand.goThrough(owner, createBrowser()));
  const inBrowser = await complete(owner, Object.fromEntries(callback.searchParams));
  assert.deepEqual([inBrowser.body.code, inBrowser.body.reason], ['connections.oauth_state_invalid', 'other_browser']);
  assert.equal((await stand.look(owner.connection)).auth.type, 'none');
  assert.equal((await complete(owner, brought)).status, 200, 'nobody used it up');
});

test("401: a victim's token cannot complete an attacker's authorization", async () => {
  const [stranger, victim] = [await stand.newOwner(), await stand.newOwner()];
  // The victim's program expects another state, and its token cannot complete the attacker's authorization.
  const brought = await bring(stranger);
  assert.equal((await complete(victim, brought)).body.code, 'connections.oauth_state_invalid');
  assert.equal((await complete(victim, { ...brought, state: 'x' })).body.code, 'connections.oauth_state_invalid');
});

test('403 if the user denied access at the server; 502 if the response names another issuer', async () => {
  const owner = await stand.newOwner();
  fake.denies = true;
  const denied = await bring(owner);
  fake.denies = false;
  assert.deepEqual(Object.keys(denied).sort(), ['error', 'iss', 'state']);
  assert.equal((await complete(owner, denied)).body.code, 'connections.forbidden');
  const brought = await bring(owner);
  assert.equal(
    (await complete(owner, { ...brought, iss: 'https://evil.example' })).body.code,
    'connections.oauth_failed',
  );
});

test('502: a token for another server is revoked and not stored', async () => {
  const owner = await stand.newOwner();
  const payload = Buffer.from(JSON.stringify({ aud: 'https://other.example' })).toString('base64url');
  const token = `e30.${payload}.c2ln`;
  fake.fault = (path, response) => {
    if (path !== '/token') return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    return Boolean(response.end(JSON.stringify({ access_token: token, token_type: 'Bearer' })));
  };
  const done = await complete(owner, await bring(owner));
  fake.fault = () => false;
  assert.deepEqual([done.status, done.body.code, done.body.reason], [502, 'connections.oauth_failed', 'audience']);
  assert.equal((await stand.look(owner.connection)).auth.type, 'none');
  const jobs = await stand.world.database.db.selectFrom('jobs').select('kind').execute();
  assert.ok(jobs.some(({ kind }) => kind === 'connection.revoke'));
});
