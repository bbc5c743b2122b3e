import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import type { SignedIn } from '#accounts/auth/signed-in.ts';
import { changeUser } from '#accounts/users/users.ts';
import { authStand } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
const DAY_MS = 86_400_000;

eachDatabase('refreshing a token', (open) => {
  const stand = async () => {
    const database = await open();
    const fixture = await authStand(database);
    const refresh = (token: string) => fixture.ask<SignedIn>('POST', '/api/auth/refresh', { token });
    const status = async (token: string) => (await fixture.ask('GET', '/api/auth/session', { token })).status;
    return { ...fixture, database, refresh, status };
  };

  test('200: returns a new token of the same session, with the scopes of the current tier', async () => {
    const { database, clock, signUp, refresh, status } = await stand();
    const { user, token } = await signUp();
    clock.ms += DAY_MS / 2;
    await changeUser(database.db, user.id, { tier: 'pro' }, user.created_at);
    const { status: answered, body, headers } = await refresh(token);
    assert.equal(answered, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    const [old, renewed] = [claimsOf(token), claimsOf(body.access_token)];
    assert.deepEqual([renewed.sid, renewed.auth_time, renewed.sub], [old.sid, old.auth_time, old.sub]);
    assert.notEqual(renewed.jti, old.jti);
    assert.deepEqual([renewed.tier, renewed.scope], ['pro', 'read write admin']);
    assert.deepEqual([body.token_type, body.expires_in, body.user.tier], ['Bearer', 86_400, 'pro']);
    assert.equal(body.expires_at, new Date(clock.ms + DAY_MS).toISOString());
    assert.equal(await status(body.access_token), 200);
  });

  test('200: the old token works for a minute, and refreshing it again returns the current token', async () => {
    const { clock, signUp, refresh, status } = await stand();
    const { token } = await signUp();
    const first = (await refresh(token)).body.access_token;
    clock.ms += 59_999;
    assert.equal(await status(token), 200);
    const again = (await refresh(token)).body.access_token;
    assert.equal(claimsOf(again).jti, claimsOf(first).jti);
    clock.ms += 1;
    assert.equal(await status(token), 401);
    assert.deepEqual([await status(first), await status(again)], [200, 200]);
  });

  test('401: refreshing a token replaced over a minute ago ends the session; other requests with it do not', async () => {
    const { clock, signUp, refresh, status } = await stand();
    const { token } = await signUp();
    const renewed = (await refresh(token)).body.access_token;
    clock.ms += 60_000;
    assert.equal(await status(token), 401);
    assert.equal(await status(renewed), 200);
    const reused = await refresh(token);
    assert.deepEqual([reused.status, reused.body.code, reused.body.reason], [401, 'auth.token_invalid', 'invalid']);
    assert.equal(await status(renewed), 401);
  });

  test('200: concurrent refreshes return one token', async () => {
    const { signUp, refresh, status } = await stand();
    const { token } = await signUp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(token)));
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]));
    assert.equal(new Set(answers.map(({ body }) => claimsOf(body.access_token).jti)).size, 1);
    assert.equal(await status(answers[0]?.body.access_token as string), 200);
  });

  test('401: a session and its tokens end after 30 days', async () => {
    const { clock, signUp, refresh } = await stand();
    const { token } = await signUp();
    const endMs = clock.ms + 30 * DAY_MS;
    let latest = token;
    for (let day = 0; day < 29; day++) {
      clock.ms += DAY_MS - 1_000;
      latest = (await refresh(latest)).body.access_token;
    }
    clock.ms = endMs - DAY_MS / 2;
    const { body } = await refresh(latest);
    assert.deepEqual([body.expires_in, body.expires_at], [DAY_MS / 2_000, new Date(endMs).toISOString()]);
    clock.ms = endMs;
    assert.equal((await refresh(body.access_token)).status, 401);
  });

  test('400: unknown fields, such as other scopes', async () => {
    const { signUp, ask, status } = await stand();
    const { token } = await signUp();
    const refused = await ask('POST', '/api/auth/refresh', { token, body: { scope: 'admin' } });
    assert.deepEqual([refused.status, refused.body.code, refused.body.reason], [400, 'http.invalid', 'input']);
    assert.equal(await status(token), 200);
  });

  test('403: an API key cannot be refreshed', async () => {
    const { database, signUp, ask } = await stand();
    const { user } = await signUp();
    const scopes = ['read'] as const;
    const newApiKey = { user_id: user.id, name: 'k', scopes, expires_at: null };
    const { key } = await createApiKey(database.db, newApiKey, user.created_at);
    const { status, body } = await ask('POST', '/api/auth/refresh', { token: key });
    assert.deepEqual([status, body.code, body.reason], [403, 'auth.sign_in_required', 'session']);
  });
});
