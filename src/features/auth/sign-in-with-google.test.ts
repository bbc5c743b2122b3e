import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizationStand } from '../../../test/authorization-stand.ts';
import { eachDatabase } from '../../../test/databases.ts';

/** The whole way is in test/authorization-walk.test.ts, with a real provider. */
eachDatabase('signing in with Google on the page', (open, engine) => {
  if (engine === 'postgres') return;

  test('503 on the page where it is not set up, and then it is not offered', async () => {
    const stand = await authorizationStand(await open());
    const it = await stand.visitor();
    const page = await it.open(stand.client.query());
    assert.doesNotMatch(page.html, /Google/);
    const fields = page.fields('/oauth/sign-in/email');
    const answer = await it.submit(page, '/oauth/sign-in/google', fields);
    assert.equal(answer.status, 503);
    assert.match(await answer.text(), /not set up here/);
    assert.equal((await it.submit(page, '/oauth/sign-in/google', { ...fields, seal: 'x' })).status, 403);
  });
});
