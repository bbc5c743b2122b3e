import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { newSecretKeys } from '#test/auth-stand.ts';
import { checkWork, leadingZeroBits, newWork } from './proof-of-work.ts';

const NOW = Date.parse('2026-04-14T10:00:00.000Z');
const keys = await newSecretKeys();

function solve(challenge: string, bits: number): string {
  for (let nonce = 0; ; nonce++)
    if (leadingZeroBits(createHash('sha256').update(`${challenge}:${nonce}`).digest()) >= bits) return `${nonce}`;
}

test('a nonce with enough zero bits is valid for its account, for ten minutes', () => {
  const { challenge, difficulty_bits, expires_at } = newWork(keys, 'ada', 8, NOW);
  assert.deepEqual([difficulty_bits, expires_at], [8, '2026-04-14T10:10:00.000Z']);
  const answer = { challenge, nonce: solve(challenge, 8) };
  assert.equal(checkWork(keys, 'ada', answer, NOW + 599_999), 'good');
  assert.equal(checkWork(keys, 'ada', answer, NOW + 600_000), 'expired');
  assert.equal(checkWork(keys, 'eve', answer, NOW), 'not_ours');
  const few = Array.from({ length: 100 }, (_, nonce) => checkWork(keys, 'ada', { challenge, nonce: `${nonce}` }, NOW));
  assert.ok(few.includes('too_little'));
});

test('a challenge that was modified anywhere is rejected', () => {
  const { challenge } = newWork(keys, 'ada', 0, NOW);
  assert.equal(checkWork(keys, 'ada', { challenge, nonce: '0' }, NOW), 'good');
  fc.assert(
    fc.property(fc.nat(challenge.length - 1), fc.constantFrom('0', '1', 'x', '.', ''), (at, letter) => {
      const changed = challenge.slice(0, at) + letter + challenge.slice(at + 1);
      if (changed === challenge) return;
      assert.equal(checkWork(keys, 'ada', { challenge: changed, nonce: '0' }, NOW), 'not_ours');
    }),
  );
  for (const other of ['', '.', '.....', `${challenge}.x`])
    assert.equal(checkWork(keys, 'ada', { challenge: other, nonce: '0' }, NOW), 'not_ours');
});

test('leading zero bits are counted across bytes', () => {
  const cases = [
    [[0x80], 0],
    [[0x01], 7],
    [[0x00, 0x40], 9],
    [[0x00, 0x00], 16],
  ] as const;
  for (const [bytes, bits] of cases) assert.equal(leadingZeroBits(Uint8Array.from(bytes)), bits);
});
