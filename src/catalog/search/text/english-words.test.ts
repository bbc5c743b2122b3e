import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isEnglish } from './english-words.ts';

test('English words are found, the first and the last of the list too, and others are not', () => {
  const words = readFileSync(new URL('./english-words.txt', import.meta.url), 'latin1')
    .trimEnd()
    .split('\n');
  for (const word of words.filter((_, at) => at % 97 === 0)) assert.ok(isEnglish(word), word);
  for (const word of [words[0] ?? '', words.at(-1) ?? '', 'sweater', 'colour', 'color'])
    assert.ok(isEnglish(word), word);
  for (const word of ['', '\n', 'aaaa', 'zzzz', 'fone', 'wether', 'sweate', 'sweaters\n', '天气', 'kubernetes'])
    assert.ok(!isEnglish(word), word);
});

test('the list is sorted, as the search in it requires', () => {
  const words = readFileSync(new URL('./english-words.txt', import.meta.url), 'latin1')
    .trimEnd()
    .split('\n');
  assert.deepEqual(
    words,
    words.toSorted((a, b) => (a < b ? -1 : 1)),
  );
});
