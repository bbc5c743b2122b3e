import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { growing, pumpOf, pumpsOf } from '#test/growth.ts';
import { translate } from './glossary.ts';
import { isDense, runsOf } from './tokenize.ts';

const meanings = (text: string): string[] => translate(text).found.map(({ meaning }) => meaning[0]?.join(' ') ?? '');

const LINES = readFileSync(new URL('./glossary.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('each line of the glossary has English and eight languages, in phrases of one kind of script', () => {
  assert.ok(LINES.length > 300);
  for (const line of LINES) {
    const columns = line.split('|');
    assert.equal(columns.length, 9, line);
    for (const phrase of columns.slice(1).flatMap((column) => column.split(',')))
      for (const word of phrase.trim().split(' ')) {
        const runs = runsOf(word);
        assert.ok(runs.length <= 1, `${word} is several words`);
        assert.ok(!word.endsWith('*') || [...(runs[0] ?? '')].length >= 3, `${word} is too short for a stem`);
        assert.ok(!word.endsWith('*') || !isDense(word), `${word} cannot be a stem`);
      }
  }
});

test('words of eight languages have an English meaning', () => {
  assert.deepEqual(meanings('天气预报'), ['weather']);
  assert.deepEqual(meanings('メールを送信する'), ['email', 'send']);
  assert.deepEqual(meanings('날씨를 알려줘'), ['weather']);
  assert.deepEqual(meanings('leer correos de gmail'), ['read', 'email']);
  assert.deepEqual(meanings('Rechnungen für Kunden erstellen'), ['invoice', 'customer', 'create']);
  assert.deepEqual(meanings('traduire un document'), ['translate', 'document']);
  assert.deepEqual(meanings('gerar imagens'), ['image generation']);
  assert.deepEqual(meanings('погода в Москве'), ['weather']);
});

test('a name beside translated words is kept, and words that say nothing are dropped', () => {
  assert.deepEqual(translate('leer correos de gmail').rest, ['gmail']);
  assert.deepEqual(translate('Москва погода').rest, ['москва']);
});

test('English text is not translated, although other languages have some of its words', () => {
  for (const text of ['fax a document', 'context7', 'image', 'pain tracker', 'family reunion photos', 'police records'])
    assert.deepEqual(translate(text).found, [], text);
  // Beside a word that is French alone, `réunion` is French, too.
  assert.deepEqual(meanings('résumer une réunion'), ['summarize', 'meeting']);
});

test('any text is translated without an error, and nothing of it appears twice', () => {
  const words = LINES.slice(1).flatMap((line) => line.split(/[|,*]/).map((phrase) => phrase.trim()));
  const texts = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'grapheme', maxLength: 12 })), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join(' ');
      const { found, rest } = translate(text);
      const characters = [...runsOf(text).join('')].length;
      const covered = [...found.map(({ from }) => from.replaceAll(' ', '')).join('')].length;
      assert.ok(covered <= characters);
      assert.ok(rest.every((term) => term !== ''));
    }),
    { numRuns: 200 },
  );
});

test('the time to translate grows with the length of the text alone', () => {
  const pumps = [...pumpsOf(['天气', 'base de ', 'a']), pumpOf('correo '), pumpOf('メ')];
  assert.deepEqual(growing(translate, pumps), []);
});
