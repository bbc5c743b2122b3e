import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { rewrap, seal, unseal } from './seal.ts';
import { keyProvider } from './secret-keys.ts';

const newKey = () => createSecretKey(randomBytes(32));
const key = newKey();
const keys = keyProvider([key]);

test('what was sealed opens with its key and context, whatever it is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (plain, context) => {
      assert.deepEqual(unseal(keys, seal(keys, plain, context), context), Buffer.from(plain));
    }),
  );
});

test('the same twice is sealed differently, and shows nothing of itself', () => {
  const [one, two] = [seal(keys, 'a secret', 'row|1'), seal(keys, 'a secret', 'row|1')];
  assert.notEqual(one, two);
  assert.doesNotMatch(one, /secret|row/);
});

test('moved to another row it does not open', () => {
  const sealed = seal(keys, 'a secret', 'row|1');
  assert.throws(() => unseal(keys, sealed, 'row|2'), { code: 'crypto.not_intact' });
});

test('every flip of one bit, every cut and every addition is refused', () => {
  const sealed = seal(keys, 'a secret', 'row|1');
  const [version, id, ...parts] = sealed.split('.') as [string, string, string, string];
  for (const [at, part] of parts.entries()) {
    const bytes = Buffer.from(part, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      const changed = parts.with(at, flipped.toString('base64url'));
      assert.throws(() => unseal(keys, [version, id, ...changed].join('.'), 'row|1'), { code: 'crypto.not_intact' });
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

test('an old key still opens; a key that is not held is named, and is not taken for another', () => {
  const sealed = seal(keys, 'a secret', 'row|1');
  assert.equal(unseal(keyProvider([newKey(), key]), sealed, 'row|1').toString(), 'a secret');
  const others = keyProvider([newKey()]);
  assert.throws(() => unseal(others, sealed, 'row|1'), { code: 'crypto.key_not_held' });
  const claimed = sealed.replace(keys.current_id, others.current_id);
  assert.throws(() => unseal(others, claimed, 'row|1'), { code: 'crypto.not_intact' });
});

test('wrapped anew it needs the new key alone, and its ciphertext is the same', () => {
  const sealed = seal(keys, 'a secret', 'row|1');
  const fresh = newKey();
  const again = rewrap(keyProvider([fresh, key]), sealed, 'row|1');
  assert.equal(unseal(keyProvider([fresh]), again, 'row|1').toString(), 'a secret');
  assert.throws(() => unseal(keys, again, 'row|1'), { code: 'crypto.key_not_held' });
  assert.equal(again.split('.')[3], sealed.split('.')[3]);
  assert.notEqual(again.split('.')[2], rewrap(keyProvider([fresh, key]), sealed, 'row|1').split('.')[2]);
});

test('what is not held, moved or changed is not wrapped anew', () => {
  const sealed = seal(keys, 'a secret', 'row|1');
  const both = keyProvider([newKey(), key]);
  assert.throws(() => rewrap(keyProvider([newKey()]), sealed, 'row|1'), { code: 'crypto.key_not_held' });
  assert.throws(() => rewrap(both, sealed, 'row|2'), { code: 'crypto.not_intact' });
  const bytes = Buffer.from(sealed.split('.')[2] as string, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    const changed = sealed.split('.').with(2, flipped.toString('base64url')).join('.');
    assert.throws(() => rewrap(both, changed, 'row|1'), { code: 'crypto.not_intact' });
  }
});
