import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { authStand, STAND_URL } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';

eachDatabase('public keys', (open) => {
  test('200: the published keys verify a token and contain nothing private', async () => {
    const { clock, signUp, ask } = await authStand(await open());
    const { user, token } = await signUp({ method: 'wallet', wallet: 'eip155:1:0xAa' });
    const { status, body, headers } = await ask<JSONWebKeySet>('GET', '/.well-known/jwks.json');
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'public, max-age=900');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    for (const key of body.keys)
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    const { payload } = await jwtVerify(token, createLocalJWKSet(body), {
      issuer: STAND_URL,
      audience: STAND_URL,
      typ: 'at+jwt',
      algorithms: ['ES256'],
      currentDate: new Date(clock.ms),
    });
    assert.deepEqual([payload.sub, payload.wallet, payload.amr], [user.id, 'eip155:1:0xAa', ['pop']]);
  });
});
