import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '#test/any-text.ts';
import { compilePattern, toRe2 } from './linear-pattern.ts';

test('patterns with exponential backtracking are matched in linear time', () => {
  for (const source of ['^(a+)+$', '^(a|a)*$', '^([a-z]+)*$', '(x+x+)+y', '^(?:.*a){20}$']) {
    assert.notEqual(toRe2(source), null, source);
    const pattern = compilePattern(source);
    const before = process.threadCpuUsage();
    assert.equal(pattern.test(`${'a'.repeat(10_000)}!`), false, source);
    const { user, system } = process.threadCpuUsage(before);
    assert.ok(user + system < 500_000, `${source}: ${user + system} µs`);
  }
});

test('patterns without an RE2 equivalent are compiled as RegExp', () => {
  for (const source of [
    '(?=a)b',
    '(?!a)b',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '[]',
    '[^]',
    '[\\S]',
    '\\p{Script=Greek}',
  ]) {
    assert.equal(toRe2(source), null, source);
    assert.ok(compilePattern(source) instanceof RegExp, source);
  }
  assert.ok(compilePattern('(?:(?:a{1000}){1000}){1000}') instanceof RegExp, 'larger than RE2 builds');
  assert.throws(() => compilePattern('('), SyntaxError);
});

/**
 * Texts and patterns over few characters, so that they often match, including everything that ECMAScript and RE2 treat
 * differently.
 */
const CHARS = [
  'a',
  'b',
  'A',
  '0',
  '_',
  '-',
  ' ',
  '\n',
  '\r',
  '\t',
  '\v',
  '\u00a0',
  '\u2028',
  '\ufeff',
  'é',
  'ſ',
  '漢',
  '😀',
];
const text = fc.string({ unit: fc.constantFrom(...CHARS), maxLength: 12 });
const escapes = ['\\d', '\\D', '\\w', '\\W', '\\s', '\\n', '\\v', '\\x41', '\\u00e9', '\\u{1F600}', '\\uD83D\\uDE00'];
const more = ['\\.', '\\-', '\\/', '\\cJ', '\\0', '\\p{L}', '\\P{Lu}', 'a', 'b', '0', 'é', '漢', '😀', ' '];
const classParts = fc.constantFrom(...escapes, ...more, 'a-z', '0-9', '\\b', '^', '.', '[', '$');
const { pattern } = fc.letrec<{ pattern: string; alternative: string; piece: string; atom: string }>((tie) => ({
  pattern: fc.array(tie('alternative'), { minLength: 1, maxLength: 2 }).map((list) => list.join('|')),
  alternative: fc.array(tie('piece'), { maxLength: 3 }).map((list) => list.join('')),
  piece: fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?'))
        .map(([atom, times]) => atom + times),
    },
    { weight: 1, arbitrary: fc.constantFrom('^', '$', '\\b', '\\B') },
  ),
  atom: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      ...escapes.filter((escaped) => escaped !== '\\-'),
      '\\S',
      '.',
      'a',
      'b',
      '0',
      'é',
      '😀',
      '\\.',
      '\\/',
      '\\p{L}',
    ),
    fc
      .tuple(fc.constantFrom('', '^'), fc.array(classParts, { minLength: 1, maxLength: 3 }))
      .map(([not, parts]) => `[${not}${parts.join('')}]`),
    tie('pattern').map((value) => `(${value})`),
    tie('pattern').map((value) => `(?:${value})`),
    tie('pattern').map((value) => `(?<n${value.length}>${value})`),
  ),
}));

test('a pattern translated to RE2 matches the same texts as its RegExp', () => {
  let translated = 0;
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 8 }), (source, texts) => {
      let native: RegExp;
      try {
        native = new RegExp(source, 'u');
      } catch {
        return;
      }
      const compiled = compilePattern(source);
      if (!(compiled instanceof RegExp)) translated++;
      for (const text of texts) assert.equal(compiled.test(text), native.test(text), JSON.stringify([source, text]));
    }),
    { numRuns: 500, seed: 1 },
  );
  assert.ok(translated > 100, `${translated} patterns were translated`);
});

test('any text compiles or is rejected exactly as RegExp does', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 20 }), (source) => {
      const isValid = (compile: () => unknown): boolean => {
        try {
          compile();
          return true;
        } catch (error) {
          assert.ok(error instanceof SyntaxError);
          return false;
        }
      };
      assert.equal(
        isValid(() => compilePattern(source)),
        isValid(() => new RegExp(source, 'u')),
      );
    }),
  );
});
