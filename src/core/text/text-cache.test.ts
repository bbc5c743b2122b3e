import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashOf, textCache } from './text-cache.ts';

test('a cached entry is found by its text until it is deleted or evicted', () => {
  const cache = textCache<number>({ most_bytes: 100, bytesOf: (value) => value });
  cache.set('a', 10);
  cache.set('b', 20);
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [10, 20, undefined]);
  assert.deepEqual([cache.count, cache.bytes], [2, 34]);
  cache.delete('a');
  assert.deepEqual([cache.get('a'), cache.count], [undefined, 1]);
  cache.set('c', 90);
  assert.deepEqual([cache.get('b'), cache.get('c')], [undefined, 90]);
  cache.clear();
  assert.equal(cache.get('c'), undefined);
});

test('two texts with the same hash are never confused, and the later one replaces the earlier', () => {
  const [one, other] = ['Aa', 'BB'];
  assert.equal(hashOf(one), hashOf(other));
  const cache = textCache<string>({ most_bytes: 100, bytesOf: () => 1 });
  cache.set(one, one);
  assert.equal(cache.get(other), undefined);
  cache.delete(other);
  assert.equal(cache.get(one), one);
  cache.set(other, other);
  assert.deepEqual([cache.get(one), cache.get(other)], [undefined, other]);
});

test('the hash of a prefix equals the hash of that text alone', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => assert.equal(hashOf(a + b, a.length), hashOf(a))));
});
