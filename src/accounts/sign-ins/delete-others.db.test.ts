import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { authStand } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';

eachDatabase('ending all other sessions', (open) => {
  test('200: ends all sessions except this one, or all of them when called with an API key', async () => {
    const database = await open();
    const { signUp, signIn, ask } = await authStand(database);
    const { user, token } = await signUp();
    const others = [await signIn(user), await signIn(user)].map((signedIn) => signedIn.access_token);
    const { token: stranger } = await signUp();
    const end = async (token: string) => (await ask('DELETE', '/api/auth/sessions', { token })).body;
    const isIn = async (other: string) => (await ask('GET', '/api/auth/session', { token: other })).status === 200;
    assert.deepEqual(await end(token), { ended: 2 });
    assert.deepEqual(await Promise.all([token, ...others, stranger].map(isIn)), [true, false, false, true]);

    const newApiKey = { user_id: user.id, name: 'k', scopes: ['write'] as const, expires_at: null };
    const { key } = await createApiKey(database.db, newApiKey, user.created_at);
    assert.deepEqual(await end(key), { ended: 1 });
    assert.deepEqual(await Promise.all([token, stranger].map(isIn)), [false, true]);
  });
});
