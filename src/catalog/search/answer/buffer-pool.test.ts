import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bufferPool, takeBuffer } from './buffer-pool.ts';

test('a block is reused once every buffer from it is released, and not before', () => {
  const pool = bufferPool();
  const [first, second] = [takeBuffer(pool, 1_000), takeBuffer(pool, 2_000)];
  first.release();
  const third = takeBuffer(pool, 500);
  assert.equal(third.bytes.byteOffset, second.bytes.byteOffset + 2_000);
  second.release();
  third.release();
  const fourth = takeBuffer(pool, 10);
  assert.equal(fourth.bytes.buffer, first.bytes.buffer);
  assert.equal(fourth.bytes.byteOffset, first.bytes.byteOffset);
});

test('a late release of an old buffer does not affect the current block', () => {
  const pool = bufferPool();
  const kept = Array.from({ length: 10 }, () => takeBuffer(pool, 60_000));
  const current = takeBuffer(pool, 100);
  for (const { release } of kept) release();
  const next = takeBuffer(pool, 100);
  assert.notEqual(next.bytes.buffer, kept[0]?.bytes.buffer);
  assert.equal(next.bytes.byteOffset, current.bytes.byteOffset + 100);
});

test('a large buffer gets its own memory', () => {
  const pool = bufferPool();
  const [small, large] = [takeBuffer(pool, 100), takeBuffer(pool, 200_000)];
  large.release();
  assert.equal(large.bytes.length, 200_000);
  assert.notEqual(large.bytes.buffer, small.bytes.buffer);
});
