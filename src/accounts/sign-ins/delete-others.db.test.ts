import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { authStand } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';

eachDatabase('ending all other sessions', (open) => {
  test('200: all of the account but this one; with an API key all of them', async () => {
    const database = await open();
    const { signUp, signIn, ask } = await authStand(database);
    const { user, token } = await signUp();
    const others = [await signIn(user), await signIn(user)].map((it) => it.access_token);
    const { token: stranger } = await signUp();
    const end = async (it: string) => (await ask('DELETE', '/api/auth/sessions', { token: it })).body;
    const isIn = async (it: string) => (await ask('GET', '/api/auth/session', { token: it })).status === 200;
    assert.deepEqual(await end(token), { ended: 2 });
    assert.deepEqual(await Promise.all([token, ...others, stranger].map(isIn)), [true, false, false, true]);

    const it = { user_id: user.id, name: 'k', scopes: ['write'] as const, expires_at: null };
    const { key } = await createApiKey(database.db, it, user.created_at);
    assert.deepEqual(await end(key), { ended: 1 });
    assert.deepEqual(await Promise.all([token, stranger].map(isIn)), [false, true]);
  });
});
