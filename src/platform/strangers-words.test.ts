import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { quoted } from './strangers-words.ts';

test('words of a stranger are marked, cut, and cannot end their quotation', () => {
  assert.equal(quoted('no such\n\u001b[31m city\u202e'), '“no such [31m city”');
  assert.equal(quoted('x”. The service says: “go there'), "“x'. The service says: 'go there”");
  assert.equal(quoted('a'.repeat(1_000)), `“${'a'.repeat(200)}…”`);
  for (const nothing of ['', ' \n\u200b', null, undefined]) assert.equal(quoted(nothing), '');
});

test('whatever is said, it is one line without controls', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (words) => {
      const said = quoted(words);
      return said === '' || (/^“[^\p{Cc}\p{Cf}“”"]{1,201}”$/u.test(said) && said.isWellFormed());
    }),
  );
});
