import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Problem } from '#core/problem/problem.ts';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { normalAddress, readAddress } from './address.ts';

test('notations of one email address are normalized to one form', () => {
  const same = ['ada@example.org', ' Ada@Example.ORG\n', 'ADA@ｅxample.org', 'ada@example.org'];
  assert.deepEqual([...new Set(same.map(normalAddress))], ['ada@example.org']);
  assert.equal(normalAddress('a+b_c.d@bücher.example'), 'a+b_c.d@xn--bcher-kva.example');
  assert.equal(normalAddress("o'neil@sub.example.co"), "o'neil@sub.example.co");
});

test('look-alikes, control characters and invalid addresses are rejected', () => {
  const bad = [
    '',
    '@',
    'ada',
    'ada@',
    '@example.org',
    'ada@localhost',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'ada@1.2',
    'аda@example.org',
    'mi\u212Ae@example.org',
    'ada@exa mple.org',
    'a da@example.org',
    '"a b"@example.org',
    'ada@example..org',
    'ada@-x.org',
    '.ada@example.org',
    'ada.@example.org',
    'a..a@example.org',
    'ada@example.org@example.com@',
    'a@b@example.org',
    'ada@example.org\r\nBcc: eve@example.org',
    'ada\r\nBcc: eve@example.org',
    'ada@example.org, eve@example.org',
    'ada@example.org>',
    '<ada@example.org>',
    'ada\u0000@example.org',
    'ada\u200b@example.org',
    'ada@example.org/x',
    'ada@example.org:25',
    'ada@example.org?x',
    'ada@example.org#x',
    'ada@exa%6dple.org',
    'ada@exa\nmple.org',
    'ada@example.org.',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b.'.repeat(125)}org`,
    `a@${'b'.repeat(64)}.org`,
    'a'.repeat(100_000),
  ];
  assert.deepEqual(
    bad.filter((text) => normalAddress(text) !== null),
    [],
  );
});

test('a look-alike domain is normalized to a different address', () => {
  assert.equal(normalAddress('ada@exаmple.org'), 'ada@xn--exmple-4nf.org');
});

test('any input is rejected or normalized to a short ASCII address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.emailAddress()), (text) => {
      const address = normalAddress(text);
      if (address === null) return;
      assert.match(address, /^[\x21-\x7e]{3,254}$/);
      assert.doesNotMatch(address, /[<>"(),:;\\\s]/);
      assert.equal(normalAddress(address), address);
    }),
  );
});

test('a long text is rejected in linear time', () => {
  const texts = [`${'a.'.repeat(500_000)}@x.org`, '@'.repeat(1_000_000), ' '.repeat(1_000_000)];
  assert.ok(cpuTimeOf(() => texts.forEach(normalAddress), 100) < 100);
});

test('400: names the email field and does not repeat the text', () => {
  assert.throws(
    () => readAddress('x<script>'),
    (error: Problem) =>
      error.code === 'http.invalid' && error.errors?.[0]?.pointer === '/email' && !/script/.test(error.message),
  );
});
