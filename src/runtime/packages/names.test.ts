import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkNpmName, exactNpmVersion } from './npm-names.ts';
import { comparePep440, fitsSpecifier, type Pep440, parsePep440, pep440Text } from './pep440.ts';
import { consoleScripts } from './prepare-pypi.ts';
import { parseHtmlIndex } from './pypi-index.ts';
import { checkPypiName, exactPypiVersion, normalName, parseFileName, sameVersion } from './pypi-names.ts';

function version(text: string): Pep440 {
  const parsed = parsePep440(text);
  assert.ok(parsed !== null, text);
  return parsed;
}

/** The order of PEP 440, ascending. */
const ORDERED = [
  '0.9',
  '1.0.dev1',
  '1.0a1.dev1',
  '1.0a1',
  '1.0a1.post1',
  '1.0b2',
  '1.0rc1',
  '1.0',
  '1.0+abc',
  '1.0+5',
  '1.0.post1.dev2',
  '1.0.post1',
  '1.0.1',
  '1.1',
  '1.10',
  '2!0.1',
];

test('Python versions sort in the order of PEP 440', () => {
  for (const [i, a] of ORDERED.entries())
    for (const [j, b] of ORDERED.entries())
      assert.equal(Math.sign(comparePep440(version(a), version(b))), Math.sign(i - j), `${a} and ${b}`);
});

test('normalizes alternative spellings of a Python version to the same version', () => {
  const same: [string, string][] = [
    ['v1.0', '1.0'],
    ['1.0-ALPHA.1', '1.0a1'],
    ['1.0_beta', '1.0b0'],
    ['1.0c1', '1.0rc1'],
    ['1.0.preview3', '1.0rc3'],
    ['1.0-1', '1.0.post1'],
    ['1.0-r4', '1.0.post4'],
    ['1.0DEV2', '1.0.dev2'],
    ['01.02', '1.2'],
    ['1.0+Ubuntu-1', '1.0+ubuntu.1'],
  ];
  for (const [written, normal] of same) assert.equal(pep440Text(version(written)), normal);
  assert.ok(sameVersion('1.0', '1.0.0') && !sameVersion('1.0', '1.0.post1'));
});

const anyVersion = fc.record(
  {
    epoch: fc.nat({ max: 2 }),
    release: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 4 }),
    pre: fc.option(fc.tuple(fc.constantFrom('a' as const, 'b' as const, 'rc' as const), fc.nat({ max: 9 }))),
    post: fc.option(fc.nat({ max: 9 })),
    dev: fc.option(fc.nat({ max: 9 })),
    local: fc.constantFrom('', 'a.1', '7'),
  },
  { noNullPrototype: true },
);

test('parsing and formatting a Python version round-trips, and comparison is a total order', () => {
  fc.assert(
    fc.property(anyVersion, anyVersion, anyVersion, (a, b, c) => {
      assert.deepEqual(parsePep440(pep440Text(a)), a);
      assert.equal(Math.sign(comparePep440(a, b)) + Math.sign(comparePep440(b, a)), 0);
      if (comparePep440(a, b) <= 0 && comparePep440(b, c) <= 0) assert.ok(comparePep440(a, c) <= 0);
      const bare = Object.assign({}, a, { local: '' });
      assert.equal(fitsSpecifier(bare, `==${pep440Text(bare)}`), true);
      assert.notEqual(fitsSpecifier(a, `>=${pep440Text(Object.assign({}, b, { local: '' }))}`), null);
    }),
  );
});

test('version specifiers match, exclude or are invalid as in PEP 440', () => {
  const table: [string, string, boolean | null][] = [
    ['3.11.7', '>=3.10,<4', true],
    ['3.9', '>=3.10', false],
    ['1.4.5', '~=1.4.2', true],
    ['1.5', '~=1.4.2', false],
    ['2.0', '~=1.4', false],
    ['1.1.post1', '==1.1.*', true],
    ['1.2', '!=1.1.*', true],
    ['1.7.post1', '>1.7', false],
    ['1.0rc1', '<1.0', false],
    ['1.0+local', '==1.0', true],
    ['1.0', '===1.0', true],
    ['1.0', '', true],
    ['1.0', '>=1.0.*', null],
    ['1.0', 'latest', null],
    ['1.0', '~=1', null],
    ['1.0', '>= 0.9 , < 2', true],
  ];
  for (const [text, specifier, expected] of table)
    assert.equal(fitsSpecifier(version(text), specifier), expected, `${text} ${specifier}`);
});

test('random or very long text is refused as a version or name within a limit of processor time', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const parsed = parsePep440(text);
      if (parsed !== null) assert.deepEqual(parsePep440(pep440Text(parsed)), parsed);
      for (const check of [checkNpmName, checkPypiName])
        try {
          assert.doesNotMatch(check(text), /[\s:\\]|\.\.\/|^[./-]/);
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'http.invalid');
        }
    }),
  );
  const before = process.cpuUsage();
  for (const long of [
    '1.'.repeat(100_000),
    '1'.repeat(100_000),
    `1.0+${'a.'.repeat(50_000)}`,
    `1${'-'.repeat(100_000)}`,
  ]) {
    assert.equal(parsePep440(long), null);
    assert.throws(() => exactNpmVersion(long, 'a'));
    assert.throws(() => checkPypiName(long));
    parseHtmlIndex(`<a ${long}`.repeat(20), 'https://x.example/', 'a');
  }
  assert.ok(process.cpuUsage(before).user < 2_000_000);
});

test('accepts exact npm versions only, not ranges, tags or aliases', () => {
  const good: [string, string][] = [
    ['1.2.3', '1.2.3'],
    ['v1.2.3', '1.2.3'],
    ['1.2.3-beta.1', '1.2.3-beta.1'],
    ['2026.7.4', '2026.7.4'],
  ];
  for (const [written, exact] of good) assert.equal(exactNpmVersion(written, 'a'), exact);
  for (const bad of [
    '1.2',
    '1',
    '^1.2.3',
    '=1.2.3',
    ' 1.2.3',
    '1.2.3 || 2.0.0',
    'latest',
    'npm:b@1.0.0',
    '1.2.3\n',
    '01.2.3',
  ])
    assert.throws(() => exactNpmVersion(bad, 'a'), { code: 'http.invalid', reason: 'input' }, bad);
  assert.equal(exactPypiVersion('v0.2.1', 'a'), '0.2.1');
});

test('normalizes PyPI names and parses the file names of wheels and sdists', () => {
  assert.equal(normalName('Foo.Bar__baz'), 'foo-bar-baz');
  assert.deepEqual(parseFileName('foo_bar-1.0-py3-none-any.whl'), { name: 'foo-bar', version: '1.0', wheel: true });
  assert.deepEqual(parseFileName('foo-bar-1.0.tar.gz'), { name: 'foo-bar', version: '1.0', wheel: false });
  for (const odd of ['foo.exe', 'foo.whl', '-1.0.tar.gz', `${'a'.repeat(300)}-1.0.tar.gz`])
    assert.equal(parseFileName(odd), null);
});

test('reads console scripts only from the [console_scripts] section', () => {
  const text =
    '[gui_scripts]\ng = a:b\n[console_scripts]\none=pkg:main\n two = pkg.sub:run [extra]\n../evil = x:y\n[other]\nthree = a:b\n';
  assert.deepEqual(
    [...consoleScripts(text)],
    [
      ['one', 'pkg:main'],
      ['two', 'pkg.sub:run [extra]'],
    ],
  );
});
