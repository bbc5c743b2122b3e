import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defined } from '#core/defined.ts';
import { createBrowser } from './fakes/browser.ts';
import { type OAuthStand, type Owner, openOAuthStand } from './oauth-stand.ts';
import { until } from './until.ts';

/** The whole flow over HTTP, as a user with a browser and a token performs it. */

interface Shown {
  id: string;
  status: string;
  code: string;
  auth: { type: string; oauth: boolean | null };
  last_error: { code: string; reason?: string; detail: string } | null;
}

const asker =
  ({ url }: OAuthStand, { api_key }: Owner) =>
  async (method: string, path: string, body?: object): Promise<Shown & { http: number }> => {
    const answer = await fetch(`${url}/api/sessions/connections${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${api_key}` },
      ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
    });
    return { ...((await answer.json()) as Shown), http: answer.status };
  };

for (const era of ['both', 'modern', 'legacy', 'sessions'] as const)
  test(`a connection signs in, calls tools, requests more scopes, is repaired after revocation, and is deleted: ${era}`, async () => {
    let movedMs = 0;
    await using stand = await openOAuthStand({ era, role: 'serve', clock: { now: () => Date.now() + movedMs } });
    const { fake } = stand;
    const owner = await stand.newOwner();
    const ask = asker(stand, owner);
    const made = await ask('POST', '', { url: fake.mcp.url, name: 'mine' });
    assert.equal(made.status, 'auth_required');
    assert.equal(made.auth.oauth, true, 'a sign-in by OAuth is offered');
    const own = { ...owner, connection: { ...owner.connection, id: made.id } };
    const call = (tool: string) => ask('POST', `/${made.id}/tools/call`, { tool, arguments: {} });
    const signIn = async () => {
      const answer = await stand.signIn(own, createBrowser());
      assert.match(answer.headers.get('location') ?? '', /oauth=connected/);
    };

    assert.equal((await call('hello')).code, 'connections.authorization_required');
    await signIn();
    const signed = await ask('GET', `/${made.id}`);
    assert.equal(signed.status, 'ready');
    assert.equal(signed.auth.type, 'oauth');
    assert.match(JSON.stringify(await call('hello')), /hello done/);

    assert.equal((await call('write')).code, 'connections.authorization_required');
    const narrow = await ask('GET', `/${made.id}`);
    assert.equal(narrow.status, 'auth_required');
    assert.deepEqual(
      [narrow.last_error?.code, narrow.last_error?.reason],
      ['connections.authorization_required', 'scope_required'],
    );
    await signIn();
    for (const tool of ['write', 'hello']) assert.match(JSON.stringify(await call(tool)), new RegExp(`${tool} done`));

    movedMs = 20_000;
    fake.revokeAll();
    assert.equal((await call('hello')).code, 'connections.authorization_required');
    const lost = await ask('GET', `/${made.id}`);
    assert.equal(lost.status, 'auth_required');
    assert.deepEqual(
      [lost.last_error?.code, lost.last_error?.reason],
      ['connections.authorization_required', 'grant_ended'],
    );
    await signIn();
    assert.match(JSON.stringify(await call('write')), /write done/, 'with all that it was allowed before');

    assert.equal((await ask('DELETE', `/${made.id}`)).http, 200);
    await until('a token that goes back', () => fake.revoked.length > 0);
    assert.equal(fake.revoked.length, 1);
    const sent = JSON.stringify([
      fake.mcp.headers,
      fake.requests.map((request) => [request.headers, `${request.body}`]),
    ]);
    assert.ok(!sent.includes(owner.api_key), 'our own token stays here');
  });
