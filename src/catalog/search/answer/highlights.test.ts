import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Highlight, highlighter } from './highlights.ts';

const PLAIN = ['git', 'map', 'x1', 'cafe'];
const TERMS = [...PLAIN, '天气', '天'];

const plain = fc.constantFrom(...PLAIN, ...PLAIN, 'Git', 'GITHUB', 'a', ' ', ' ', '-', '"', '\n', '’', '→', '🚀');
const other = fc.constantFrom('Café', '\\', '\t', '\u0001', '–', '★', '⁰', '🯱', '①', '·', '\u00a0', '️');
const pieces = fc.oneof(
  fc.array(plain, { maxLength: 400, size: 'max' }),
  fc.array(fc.oneof(plain, other), { maxLength: 12 }),
);
const text = pieces.map((piece) => piece.join(''));

/** Of an item among others, as the index stores them. */
function highlights(item: object): Highlight[] {
  const before = '{"id":"0"},';
  return highlighter(TERMS)(Buffer.from(`${before}${JSON.stringify(item)},{"name":"git"},`), before.length);
}

test('highlights are the runs of letters, digits and accents that match a term, in any case', () => {
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 3 }), (name, description, tags) => {
      const other = { sources: [{ name: 'git', tags: ['git'] }], list: [1, [{}]], none: null, number: 5 };
      const fields = { 'tags/0': tags[0], 'tags/1': tags[1], 'tags/2': tags[2] };
      const expected = Object.entries({ name, ...fields, description })
        .map(([field, value = '']) => ({ field, ranges: rangesIn(value) }))
        .filter(({ ranges }) => ranges.length > 0);
      assert.deepEqual(highlights({ ...other, name, tags, ...other, description, author: '' }), expected);
    }),
    { numRuns: 100 },
  );
});

/** By the definition. What only folds to a term has examples below. */
const rangesIn = (text: string): [number, number][] =>
  [...text.slice(0, 1_200).matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
    .filter(([run]) => TERMS.includes(run.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')))
    .map(({ 0: run, index }): [number, number] => [index, index + run.length])
    .slice(0, 32);

test('folded terms and pairs in scripts without spaces are highlighted, in the beginning of a long text', () => {
  const found = highlights({ name: 'Café 今天天气好', description: 'ｇｉｔ', author: '天', tags: ['x', 'X1'] });
  assert.deepEqual(found, [
    {
      field: 'name',
      ranges: [
        [0, 4],
        [7, 9],
      ],
    },
    { field: 'description', ranges: [[0, 3]] },
    { field: 'author', ranges: [[0, 1]] },
    { field: 'tags/1', ranges: [[0, 2]] },
  ]);
  const long = highlights({ name: `${'-'.repeat(1_197)}git map`, description: '', author: '', tags: [] });
  assert.deepEqual(long, [{ field: 'name', ranges: [[1_197, 1_200]] }], 'later text is ignored');
});
