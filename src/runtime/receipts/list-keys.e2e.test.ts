import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorld } from '#test/world.ts';
import { keyIdOf, type ReceiptJwk } from './receipt-key.ts';

test('200: public keys only, identified by thumbprint, and no key that signs tokens', async () => {
  await using world = await openWorld();
  const { origin, keys } = await world.get<{ origin: string; keys: (ReceiptJwk & { kid: string })[] }>(
    '/api/receipts/keys',
  );
  assert.equal(origin, '127.0.0.1:0/receipts');
  assert.equal(keys.length, 1);
  for (const key of keys) {
    assert.equal(keyIdOf(key), key.kid);
    assert.deepEqual(Object.keys(key).sort(), ['active_at', 'alg', 'crv', 'kid', 'kty', 'use', 'x']);
  }
  const tokens = await world.get<{ keys: { kid: string }[] }>('/.well-known/jwks.json');
  assert.ok(!tokens.keys.some((key) => keys.some(({ kid }) => kid === key.kid)));
});
