import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '#test/any-text.ts';
import { fold, words } from './fold.ts';

test('folding ignores case, accents and compatibility forms, and keeps every script', () => {
  assert.equal(fold('Crème BRÛLÉE'), 'creme brulee');
  assert.equal(fold('ﬁle Ⅳ ＡＢＣ'), 'file iv abc');
  assert.equal(fold('天気 Погода'), '天気 погода');
  assert.deepEqual(words('  Ünïcode\twords\u3000here '), ['unicode', 'words', 'here']);
  assert.deepEqual(words(' \n'), []);
});

test('fold() gives the same result for ASCII on its fast path', () => {
  const byTheBook = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase();
  fc.assert(
    fc.property(fc.oneof(fc.string(), anyText()), (text) => {
      assert.equal(fold(text), byTheBook(text));
    }),
  );
});
