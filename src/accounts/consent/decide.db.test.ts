import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAND_URL } from '#test/auth-stand.ts';
import { REDIRECT_URI } from '#test/authorization-client.ts';
import { authorizationStand } from '#test/authorization-stand.ts';
import { eachDatabase } from '#test/databases.ts';

const AT = '/oauth/authorize';

eachDatabase('the consent decision', (openNew, engine) => {
  if (engine === 'postgres') return;
  let opened: ReturnType<typeof openNew> | undefined;
  const open = () => (opened ??= openNew());

  test('303: redirects with a code or access_denied, with state and iss, and asks again the next time', async () => {
    const { client, user, visitor } = await authorizationStand(await open());
    const guest = await visitor(user);
    const yes = await guest.decide(await guest.open(client.query({ state: 'a&b=c' })));
    assert.equal(yes.origin + yes.pathname, REDIRECT_URI);
    assert.deepEqual([...yes.searchParams.keys()], ['code', 'state', 'iss']);
    assert.deepEqual([yes.searchParams.get('state'), yes.searchParams.get('iss')], ['a&b=c', STAND_URL]);
    const no = await guest.decide(await guest.open(client.query({ state: 's' })), 'deny');
    assert.deepEqual([no.searchParams.get('error'), no.searchParams.get('code')], ['access_denied', null]);
    assert.equal((await guest.open(client.query())).status, 200, 'asked again');
  });

  test('403: rejects a form of another browser, user, request or site, and one older than half an hour', async () => {
    const stand = await authorizationStand(await open());
    const { client, user, visitor } = stand;
    const [mine, thief] = [await visitor(user), await visitor((await stand.signUp()).user)];
    const page = await mine.open(client.query());
    const fields = page.fields(AT);
    const decision = 'allow';
    const status = async (thief: typeof mine, more = {}, headers = {}) => {
      const answer = await thief.submit(page, AT, { decision, ...more }, headers);
      assert.equal(answer.headers.get('location') === null, answer.status !== 303);
      return answer.status;
    };
    assert.equal(await status(thief), 403, 'another browser');
    const otherCookie = mine.browser.cookies(STAND_URL).get('__Host-capstan-page') as string;
    thief.browser.cookies(STAND_URL).set('__Host-capstan-page', otherCookie);
    assert.equal(await status(thief), 403, 'another user of the same browser');
    const otherRequest = { request: `${fields.request}`.replace('read+write', 'read+write+admin') };
    assert.notEqual(otherRequest.request, fields.request);
    assert.equal(await status(mine, otherRequest), 403, 'another request');
    const seal = (await mine.open(client.query())).fields(AT).seal as string;
    assert.equal(await status(mine, { seal }), 403, 'the seal of another page');
    for (const more of [{ seal: '' }, { seal: 'x.y' }, { seal: `${fields.seal}x` }])
      assert.equal(await status(mine, more), 403);
    for (const origin of ['https://evil.example', 'null', `${STAND_URL}.evil.example`, 'http://capstan.example'])
      assert.equal(await status(mine, {}, { origin }), 403, origin);
    stand.clock.ms += 31 * 60_000;
    assert.equal(await status(mine), 403, 'another time');
    stand.clock.ms -= 31 * 60_000;
    assert.equal(await status(mine), 303);
  });

  test('403: a sign-in form does not count as consent, and consent requires a signed-in user', async () => {
    const { client, user, visitor } = await authorizationStand(await open());
    const guest = await visitor();
    const entering = await guest.open(client.query());
    const stolen = entering.fields('/oauth/sign-in/email');
    assert.equal((await guest.submit(entering, AT, { ...stolen, decision: 'allow' })).status, 403);
    const mine = await visitor(user);
    const page = await mine.open(client.query());
    mine.browser.cookies(STAND_URL).delete('__Host-capstan-token');
    assert.equal((await mine.submit(page, AT, { decision: 'allow' })).status, 403);
  });

  test('scopes that the tier does not have are not offered; invalid_scope if none remains', async () => {
    const stand = await authorizationStand(await open());
    const free = (await stand.signUp({ tier: 'free' })).user;
    const visitor = await stand.visitor(free);
    assert.doesNotMatch((await visitor.open(stand.client.query({ scope: 'read admin' }))).html, /Manage your account/);
    const only = await visitor.open(stand.client.query({ scope: 'admin' }));
    assert.equal(new URL(only.headers.get('location') ?? '').searchParams.get('error'), 'invalid_scope');
  });

  test("200: asks the signed-in user for consent; a client's token in the cookie does not sign in", async () => {
    const stand = await authorizationStand(await open());
    const { client, user, visitor } = stand;
    const guest = await visitor(user);
    const asked = await guest.open(client.query({ state: '"><script>' }));
    assert.match(asked.html, /Authorize <bdi class="client">An editor<\/bdi>\?/);
    assert.match(asked.html, /Unverified.*Read your data.*Act on your behalf/s);
    assert.doesNotMatch(asked.html, /Manage your account|<script>/);
    assert.match(asked.html, /this computer<\/strong> \(127\.0\.0\.1:8765\)/);
    const policy = asked.headers.get('content-security-policy') ?? '';
    assert.ok(policy.includes("form-action 'self' http://127.0.0.1:8765 https:;"), policy);
    const { access_token = '' } = await stand.grant({ resource: STAND_URL });
    guest.browser.cookies(STAND_URL).set('__Host-capstan-token', access_token);
    assert.match((await guest.open(client.query())).html, /Sign in to Capstan/);
  });

  test('signing out on the page ends its session but not those of OAuth clients', async () => {
    const stand = await authorizationStand(await open());
    const tokens = await stand.grant({ resource: STAND_URL });
    const visitor = await stand.visitor(stand.user);
    const own = visitor.browser.cookies(STAND_URL).get('__Host-capstan-token');
    const next = await visitor.follow(
      await visitor.submit(await visitor.open(stand.client.query()), '/oauth/sign-out'),
    );
    assert.match(next.html, /Sign in to Capstan/);
    assert.deepEqual([await stand.session(own), await stand.session(tokens.access_token)], [401, 200]);
  });
});
