import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasManyParts } from './json-text.ts';

test('members, objects and lists are counted, whatever texts contain', () => {
  const value = { a: '{"b": [', c: [{}, 'd\\"e:'], f: 1 };
  const text = JSON.stringify(value, null, 2);
  assert.deepEqual([hasManyParts(text, 5), hasManyParts(text, 6)], [true, false]);
  assert.equal(hasManyParts(JSON.stringify('":{['.repeat(40_000))), false);
});
