import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digitsOf, rangeOf } from './digits.ts';
import { snippetOf } from './snippet.ts';
import { termsOf, wordsOf } from './terms.ts';

test('encoded texts sort in byte order, and a prefix range contains exactly the texts with that prefix', () => {
  const texts = ['', ' ', '-', '/', '0', '9', 'a', 'a/b', 'ab', 'abc', 'b', 'z', '~', 'é', 'ß', '東', '東京', '😀'];
  const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const sorted = texts.toSorted((a, b) => (digitsOf(a) < digitsOf(b) ? -1 : 1));
  assert.deepEqual(sorted, texts.toSorted(bytes));
  for (const prefix of texts) {
    const { from, to } = rangeOf(prefix);
    for (const text of texts) {
      const within = digitsOf(text) >= from && digitsOf(text) < to;
      assert.equal(within, text.startsWith(prefix), `${text} in ${prefix}`);
    }
  }
});

test('a snippet shows the first search term found, ignoring case and accents', () => {
  const of = (content: string, query: string) => snippetOf(content, termsOf(query));
  const long = `${'before '.repeat(400)}\n\nthe  ÉLÉPHANT walks ${'after '.repeat(400)}`;
  for (const query of ['elephant', 'éleph walks', 'nowhere elephant'])
    assert.match(of(long, query), /^….*before the ÉLÉPHANT walks after .*…$/, query);
  assert.equal(of('short\ntext', 'text'), 'short text');
  assert.match(of('İstanbul is long', 'long'), /^İstanbul is long$/);
  assert.match(of('😀'.repeat(500), 'x'), /^(😀)+…$/u);
});

test('indexes and excerpts 100 KB of any text in bounded processor time', () => {
  const texts = ['a', 'é', '東', 'İ', 'ab ', '\u0301', 'ｱ', '.'].map((text) => text.repeat(100_000 / text.length));
  const begun = process.cpuUsage();
  for (const text of texts) {
    assert.ok(wordsOf('p', text).size <= 5_001);
    snippetOf(text, [...termsOf('ab'), ...termsOf('zzz é')]);
  }
  const { user } = process.cpuUsage(begun);
  assert.ok(user < 2_000_000, `${user} µs for ${texts.length} texts`);
  assert.equal(wordsOf('p', Array.from({ length: 9_000 }, (_, at) => `w${at}`).join(' ')).size, 5_000);
});
