import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { rewrap, seal, unseal } from './seal.ts';
import { keyProvider } from './secret-keys.ts';

const newKey = () => createSecretKey(randomBytes(32));
const key = newKey();
const keys = keyProvider([key]);

test('any content decrypts with its key and context', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (plain, context) => {
      assert.deepEqual(unseal(keys, seal(keys, plain, context), context), Buffer.from(plain));
    }),
  );
});

test('encrypting the same text twice gives different results that contain neither text nor context', () => {
  const [one, two] = [seal(keys, 'a secret', 'row|1'), seal(keys, 'a secret', 'row|1')];
  assert.notEqual(one, two);
  assert.doesNotMatch(one, /secret|row/);
});

test('an encrypted value does not decrypt in another row', () => {
  const sealed = seal(keys, 'a secret', 'row|1');
  assert.throws(() => unseal(keys, sealed, 'row|2'), { code: 'crypto.corrupt' });
});

test('every flipped bit, truncation and addition of an encrypted value is rejected', () => {
  const sealed = seal(keys, 'a secret', 'row|1');
  const [version, id, ...parts] = sealed.split('.') as [string, string, string, string];
  for (const [at, part] of parts.entries()) {
    const bytes = Buffer.from(part, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      const changed = parts.with(at, flipped.toString('base64url'));
      assert.throws(() => unseal(keys, [version, id, ...changed].join('.'), 'row|1'), { code: 'crypto.corrupt' });
    }
  }
  for (const damaged of [
    '',
    'v1',
    `${sealed}.`,
    `${sealed}A`,
    sealed.slice(0, -1),
    sealed.replace('v1', 'v2'),
    `${sealed}=`,
  ])
    assert.throws(() => unseal(keys, damaged, 'row|1'), { name: 'Problem' });
});

test('a value decrypts with an older key, and an unavailable key is named instead of trying another', () => {
  const sealed = seal(keys, 'a secret', 'row|1');
  assert.equal(unseal(keyProvider([newKey(), key]), sealed, 'row|1').toString(), 'a secret');
  const others = keyProvider([newKey()]);
  assert.throws(() => unseal(others, sealed, 'row|1'), { code: 'crypto.key_required' });
  const claimed = sealed.replace(keys.current_id, others.current_id);
  assert.throws(() => unseal(others, claimed, 'row|1'), { code: 'crypto.corrupt' });
});

test('a rewrapped value decrypts with only the new key and keeps its ciphertext', () => {
  const sealed = seal(keys, 'a secret', 'row|1');
  const fresh = newKey();
  const again = rewrap(keyProvider([fresh, key]), sealed, 'row|1');
  assert.equal(unseal(keyProvider([fresh]), again, 'row|1').toString(), 'a secret');
  assert.throws(() => unseal(keys, again, 'row|1'), { code: 'crypto.key_required' });
  assert.equal(again.split('.')[3], sealed.split('.')[3]);
  assert.notEqual(again.split('.')[2], rewrap(keyProvider([fresh, key]), sealed, 'row|1').split('.')[2]);
});

test('rewrapping is refused with a missing key, another context or a modified value', () => {
  const sealed = seal(keys, 'a secret', 'row|1');
  const both = keyProvider([newKey(), key]);
  assert.throws(() => rewrap(keyProvider([newKey()]), sealed, 'row|1'), { code: 'crypto.key_required' });
  assert.throws(() => rewrap(both, sealed, 'row|2'), { code: 'crypto.corrupt' });
  const bytes = Buffer.from(sealed.split('.')[2] as string, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    const changed = sealed.split('.').with(2, flipped.toString('base64url')).join('.');
    assert.throws(() => rewrap(both, changed, 'row|1'), { code: 'crypto.corrupt' });
  }
});
