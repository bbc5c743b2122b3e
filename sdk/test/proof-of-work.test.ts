import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { solve } from '../src/proof-of-work.ts';
import { sha256 } from '../src/sha256.ts';

const hexOf = (words: Uint32Array): string => Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');

test('sha256() equals the hash of node:crypto for inputs of any length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(hexOf(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'));
    }),
  );
  for (const length of [0, 55, 56, 63, 64, 119, 120, 128]) {
    const bytes = new Uint8Array(length).fill(7);
    assert.equal(hexOf(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'), `${length}`);
  }
});

test('solve() returns a nonce whose hash has the required zero bits, and stops when its signal aborts', async () => {
  const nonce = await solve('a challenge', 12);
  assert.match(createHash('sha256').update(`a challenge:${nonce}`).digest('hex'), /^000/);
  const stopped = new AbortController();
  const endless = solve('a challenge', 256, stopped.signal);
  stopped.abort(new Error('enough'));
  await assert.rejects(endless, /enough/);
});
