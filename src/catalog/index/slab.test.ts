import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cut, newSlab } from './slab.ts';

test('memory is used again once all that was cut from it was given back, and not before', () => {
  const slab = newSlab();
  const [first, second] = [cut(slab, 1_000), cut(slab, 2_000)];
  first.giveBack();
  const third = cut(slab, 500);
  assert.equal(third.bytes.byteOffset, second.bytes.byteOffset + 2_000);
  second.giveBack();
  third.giveBack();
  const fourth = cut(slab, 10);
  assert.equal(fourth.bytes.buffer, first.bytes.buffer);
  assert.equal(fourth.bytes.byteOffset, first.bytes.byteOffset);
});

test('what is given back late leaves the memory in use now alone', () => {
  const slab = newSlab();
  const kept = Array.from({ length: 10 }, () => cut(slab, 60_000));
  const now = cut(slab, 100);
  for (const { giveBack } of kept) giveBack();
  const next = cut(slab, 100);
  assert.notEqual(next.bytes.buffer, kept[0]?.bytes.buffer);
  assert.equal(next.bytes.byteOffset, now.bytes.byteOffset + 100);
});

test('a large one has memory of its own', () => {
  const slab = newSlab();
  const [small, large] = [cut(slab, 100), cut(slab, 200_000)];
  large.giveBack();
  assert.equal(large.bytes.length, 200_000);
  assert.notEqual(large.bytes.buffer, small.bytes.buffer);
});
