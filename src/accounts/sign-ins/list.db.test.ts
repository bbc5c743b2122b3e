import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authStand } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';

interface Page {
  items: Record<string, unknown>[];
  total_count: number;
}

eachDatabase("listing one's own sessions", (open) => {
  test('200: lists active sessions, newest first, without tokens', async () => {
    const { clock, signUp, signIn, ask } = await authStand(await open());
    const { user, token } = await signUp({ method: 'wallet', wallet: 'eip155:1:0xAa', user_agent: 'one\n\u202ecurl' });
    await signUp();
    clock.ms += 1_000;
    await signIn(user, { user_agent: 'x'.repeat(500) });
    const { access_token: ended } = await signIn(user);
    await ask('POST', '/api/auth/logout', { token: ended });
    const { status, body } = await ask<Page>('GET', '/api/auth/sessions', { token });
    assert.deepEqual([status, body.total_count, body.items.length], [200, 2, 2]);
    const [second, first] = body.items;
    assert.deepEqual([second?.method, second?.current, second?.user_agent], ['email', false, 'x'.repeat(200)]);
    assert.deepEqual(
      { ...first, id: 'id' },
      {
        id: 'id',
        method: 'wallet',
        wallet: 'eip155:1:0xAa',
        user_agent: 'onecurl',
        client: null,
        current: true,
        signed_in_at: '2026-03-01T00:00:00.000Z',
        refreshed_at: '2026-03-01T00:00:00.000Z',
        expires_at: '2026-03-31T00:00:00.000Z',
      },
    );
  });

  test('200: returns pages without expired sessions', async () => {
    const { clock, signUp, signIn, ask } = await authStand(await open());
    const { user } = await signUp();
    clock.ms += 30 * 86_400_000;
    const { access_token: token } = await signIn(user);
    for (let round = 0; round < 2; round++) await signIn(user);
    const { body, headers } = await ask<Page>('GET', '/api/auth/sessions?limit=2', { token });
    assert.deepEqual([body.total_count, body.items.length], [3, 2]);
    assert.equal(headers.get('link'), '</api/auth/sessions?limit=2&offset=2>; rel="next"');
  });

  test('an account has at most 100 sessions, and a new one ends the oldest', async () => {
    const { user, token, signIn, ask } = await (async () => {
      const stand = await authStand(await open());
      return { ...stand, ...(await stand.signUp()) };
    })();
    let newest = '';
    for (let round = 0; round < 100; round++) newest = (await signIn(user)).access_token;
    const { body } = await ask<Page>('GET', '/api/auth/sessions?limit=1', { token: newest });
    assert.equal(body.total_count, 100);
    assert.equal((await ask('GET', '/api/auth/session', { token })).status, 401);
  });
});
