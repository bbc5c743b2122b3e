import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { takeRequest } from '#accounts/quotas/quota.ts';
import { changeUser, deleteUserRow } from '#accounts/users/users.ts';
import { authStand } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';

eachDatabase('the session of a request', (open) => {
  test('200: returns the user and the scopes and quota of the current tier', async () => {
    const database = await open();
    const { clock, signUp, ask } = await authStand(database);
    const { user, token } = await signUp({ tier: 'pro' });
    const session = async (credential = token) => (await ask('GET', '/api/auth/session', { token: credential })).body;
    await takeRequest(database.db, { user_id: user.id, tier: 'pro' }, clock.ms);
    const { id, display_name, created_at } = user;
    const { storage, ...rest } = await session();
    assert.equal((storage as { limit_bytes: number }).limit_bytes, 10_000_000_000);
    assert.deepEqual(rest, {
      user: { id, display_name, tier: 'pro', created_at },
      tier: 'pro',
      scopes: ['read', 'write', 'admin'],
      is_operator: false,
      proof_required: false,
      quota: { limit: null, used: 1, resets_at: '2026-03-02T00:00:00.000Z' },
    });

    await changeUser(database.db, id, { tier: 'free' }, created_at);
    const { tier, scopes, quota } = (await session()) as never as Record<string, unknown>;
    assert.deepEqual([tier, scopes], ['free', ['read', 'write']], 'a token does not keep what the tier lost');
    assert.deepEqual(quota, { limit: 100, used: 1, resets_at: '2026-03-02T00:00:00.000Z' });

    const newApiKey = { user_id: id, name: 'k', scopes: ['read', 'admin'] as const, expires_at: null };
    const { key } = await createApiKey(database.db, newApiKey, created_at);
    assert.deepEqual((await session(key)).scopes, ['read'], 'nor does an API key');
  });

  test('401: the account was deleted, which invalidates its tokens and keys', async () => {
    const database = await open();
    const { signUp, ask } = await authStand(database);
    const { user, token } = await signUp();
    const newApiKey = { user_id: user.id, name: 'k', scopes: ['read'] as const, expires_at: null };
    const { key } = await createApiKey(database.db, newApiKey, user.created_at);
    await deleteUserRow(database.db, user.id);
    for (const credential of [token, key]) {
      const { status, body } = await ask('GET', '/api/auth/session', { token: credential });
      assert.deepEqual([status, body.code, body.reason], [401, 'auth.token_invalid', 'invalid']);
    }
  });
});
