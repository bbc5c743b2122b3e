import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasManyParts, withTextFor } from './json-text.ts';

test('members, objects and lists are counted, whatever texts contain', () => {
  const value = { a: '{"b": [', c: [{}, 'd\\"e:'], f: 1 };
  const text = JSON.stringify(value, null, 2);
  assert.deepEqual([hasManyParts(text, 5), hasManyParts(text, 6)], [true, false]);
  assert.equal(hasManyParts(JSON.stringify('":{['.repeat(40_000))), false);
});

test('members with too many parts become text, and everything else stays as it was written', () => {
  const large = { '}': ['],{', { 'a"b': [1, 2, {}] }], c: 'x' };
  const value = { id: ',"output":{', output: large, input: { few: 1 }, spans: [large], last: null };
  for (const space of [0, 2]) {
    const text = JSON.stringify(value, null, space);
    const shown = JSON.parse(withTextFor(['output', 'input'], text, 4));
    assert.deepEqual({ ...shown, output: JSON.parse(shown.output) }, value);
    assert.equal(withTextFor(['output', 'input'], text, 100), text);
    assert.equal(withTextFor(['none'], text, 4), text);
  }
  const atEnd = JSON.parse(withTextFor(['output'], JSON.stringify({ a: 1, output: large }), 4));
  assert.deepEqual(JSON.parse(atEnd.output), large);
});
