import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAND_URL } from '../../../test/auth-stand.ts';
import { authorizationStand } from '../../../test/authorization-stand.ts';
import { eachDatabase } from '../../../test/databases.ts';

const AT = '/oauth/sign-out';

eachDatabase('signing out on the page', (open, engine) => {
  if (engine === 'postgres') return;

  test('303: the page’s session ends, those of clients stay; 403 for a form of elsewhere', async () => {
    const stand = await authorizationStand(await open());
    const tokens = await stand.grant({ resource: STAND_URL });
    const it = await stand.visitor(stand.user);
    const own = it.browser.cookies(STAND_URL).get('__Host-capstan-token');
    const page = await it.open(stand.client.query());
    assert.equal((await it.submit(page, AT, {}, { origin: 'https://evil.example' })).status, 403);
    assert.equal(await stand.session(own), 200);
    const next = await it.follow(await it.submit(page, AT));
    assert.match(next.html, /Sign in to Capstan/);
    assert.equal(it.browser.cookies(STAND_URL).has('__Host-capstan-token'), false);
    assert.equal(await stand.session(own), 401);
    assert.equal(await stand.session(tokens.access_token), 200);
  });
});
