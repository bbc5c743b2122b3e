import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold } from '#catalog/changes/fold.ts';
import { anyText } from '#test/any-text.ts';
import { readVectors } from '#test/vectors.ts';
import { count, externalId, githubOwner, latest, tags, text, time, url } from './adapt-fields.ts';

test('a text is trimmed, limited and safe to save', () => {
  assert.equal(text('  a\0b\ud800c ', 10), 'a\ufffdb\ufffdc');
  assert.equal(text('ab😀', 3), 'ab', 'a surrogate pair is not split');
  assert.equal(text('ab cd', 3), 'ab');
  for (const value of [undefined, null, 7, {}, ['x']]) assert.equal(text(value, 10), '');
  fc.assert(
    fc.property(anyText(), fc.integer({ min: 0, max: 20 }), (value, max) => {
      const clean = text(value, max);
      assert.ok(clean.length <= max && clean.isWellFormed() && !clean.includes('\0') && clean === clean.trim());
    }),
  );
});

test('a count is a non-negative safe integer or 0', () => {
  assert.deepEqual([0, 7, -1, 1.5, 2 ** 53, Number.NaN, '7', null].map(count), [0, 7, 0, 0, 0, 0, 0, 0]);
});

test('an address is http or https, exactly as written', () => {
  const kept = ['https://a.example/x?y#z', 'HTTP://A.example', 'https://ü.example/ü', 'https://{region}.a.example/mcp'];
  assert.deepEqual(kept.map(url), kept);
  const dropped = [
    'javascript:alert(1)',
    'data:text/html,x',
    '//a.example',
    'a.example',
    'https://',
    'https://good.example@evil.example/',
    'https://a.example/with blank',
    'https://a.example/\u0007',
    `https://a.example/${'x'.repeat(2_048)}`,
    7,
  ];
  assert.deepEqual(dropped.map(url).filter(Boolean), []);
});

test('a time is in UTC with milliseconds, and null if invalid', () => {
  const cases: [unknown, string | null][] = [
    ['2026-03-04T05:06:07.123456Z', '2026-03-04T05:06:07.123Z'],
    ['2026-03-04T05:06:07+02:00', '2026-03-04T03:06:07.000Z'],
    ['2026-03-04T05:06:07+0200', '2026-03-04T03:06:07.000Z'],
    ['2026-03-04 05:06', '2026-03-04T05:06:00.000Z'],
    ['2026-03-04', '2026-03-04T00:00:00.000Z'],
    [1_772_600_000_000, '2026-03-04T04:53:20.000Z'],
    ['2026-02-30T00:00:00Z', null],
    ['2026-13-01', null],
    ['2026-03-04T25:00:00Z', null],
    ['yesterday', null],
    ['', null],
    [0, null],
    [1_772_600_000, null],
    [Number.POSITIVE_INFINITY, null],
    ['9999-12-31T00:00:00Z', null],
    [null, null],
  ];
  for (const [value, expected] of cases) assert.equal(time(value), expected, String(value));
  const range = { min: new Date('1990-01-01'), max: new Date('2099-12-31'), noInvalidDate: true };
  fc.assert(fc.property(fc.date(range), (date) => assert.equal(time(date.toISOString()), date.toISOString())));
});

test('latest() ignores missing times', () => {
  assert.equal(latest([]), null);
  assert.equal(
    latest([null, '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', null]),
    '2026-02-01T00:00:00.000Z',
  );
});

test('tags are strings without duplicates after folding, limited in number and length', () => {
  assert.deepEqual(tags([' Sea ', 'sea', 'SÉA', '', 7, null, '海']), ['Sea', '海']);
  assert.deepEqual(tags('sea'), []);
  fc.assert(
    fc.property(fc.array(fc.oneof(anyText(), fc.anything()), { maxLength: 80 }), (values) => {
      const kept = tags(values);
      assert.ok(kept.length <= 50 && kept.every((tag) => tag.length > 0 && tag.length <= 64));
      assert.equal(new Set(kept.map(fold)).size, kept.length);
    }),
  );
});

test('an id is kept exactly or rejected', () => {
  const kept = ['a/b@c.d%3A', 'ÄöÜ', ' padded ', 'x'.repeat(512), '..x'];
  assert.deepEqual(kept.map(externalId), kept);
  const refused = ['', '  ', '.', '..', 'a\nb', 'a\0b', 'a\u0085b', '\ud800', 'x'.repeat(513), 7, null, undefined];
  assert.deepEqual(
    refused.map(externalId).filter((value) => value !== null),
    [],
  );
});

test('the owner is read from any form of GitHub address, and from no other address', () => {
  const addresses = [
    'https://github.com/harbour/x',
    'http://www.github.com/harbour',
    'git+https://github.com/harbour/x.git',
    'git@github.com:harbour/x.git',
    'ssh://git@github.com/harbour/x',
    'github.com/harbour/x#readme',
  ];
  assert.deepEqual(new Set(addresses.map(githubOwner)), new Set(['harbour']));
  const others = [
    'https://gitlab.com/a/b',
    'https://github.com.evil.example/a',
    'https://x/github.com/a',
    'a/b',
    '',
    7,
  ];
  assert.deepEqual(others.map(githubOwner).filter(Boolean), []);
});

test('the Big List of Naughty Strings is sanitized', () => {
  for (const value of readVectors<string[]>('blns.json')) {
    const clean = text(value, 100);
    assert.ok(clean.length <= 100 && clean.isWellFormed() && !clean.includes('\0'));
    for (const address of [url(value)]) assert.ok(address === '' || /^https?:\/\//i.test(address));
    tags([value]);
    time(value);
    externalId(value);
  }
});
