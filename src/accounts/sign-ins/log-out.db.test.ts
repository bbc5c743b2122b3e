import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { authStand } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';

eachDatabase('logging out', (open) => {
  test('200: ends this session and no other', async () => {
    const database = await open();
    const { signUp, signIn, ask } = await authStand(database);
    const { user, token } = await signUp();
    const { access_token: other } = await signIn(user);
    const { status, body } = await ask('POST', '/api/auth/logout', { token });
    assert.deepEqual([status, body], [200, { status: 'ended' }]);
    for (const [method, path] of [
      ['GET', '/api/auth/session'],
      ['POST', '/api/auth/refresh'],
      ['POST', '/api/auth/logout'],
    ] as const) {
      const refused = await ask(method, path, { token });
      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.reason],
        [401, 'auth.token_invalid', 'invalid'],
        path,
      );
    }
    assert.equal((await ask('GET', '/api/auth/session', { token: other })).status, 200);
  });

  test('403: an API key has no session to end', async () => {
    const database = await open();
    const { signUp, ask } = await authStand(database);
    const { user } = await signUp();
    const newApiKey = { user_id: user.id, name: 'k', scopes: ['read', 'write'] as const, expires_at: null };
    const { key } = await createApiKey(database.db, newApiKey, user.created_at);
    const { status, body } = await ask('POST', '/api/auth/logout', { token: key });
    assert.deepEqual([status, body.code, body.reason], [403, 'auth.sign_in_required', 'session']);
  });
});
