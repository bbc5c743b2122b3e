import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isProblem } from '#core/problem/problem.ts';
import { anyText } from '#test/any-text.ts';
import { absoluteReturn, readReturnTo } from './return-to.ts';

const BASE = 'https://capstan.example';

/** Where the browser would end up; null if refused. */
function landing(wantedPath: string): URL | null {
  try {
    return new URL(absoluteReturn(readReturnTo(wantedPath) as string, BASE));
  } catch (error) {
    assert.ok(isProblem(error, 'http.invalid', 'input'), `${error}`);
    return null;
  }
}

test('return_to accepts paths of the service unchanged', () => {
  for (const path of ['/', '/account', '/a/b?tab=keys&x=%2F%2Fevil.example#top', '/%2F/evil.example', '/@evil', '/:80'])
    assert.equal(landing(path)?.href, BASE + path);
  assert.equal(readReturnTo(undefined), null);
});

test('return_to refuses what browsers interpret as another host', () => {
  const elsewhere = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ...['https://evil.example', 'https:evil.example', 'javascript:alert(1)', 'data:text/html,x', 'evil.example', ''],
    ' //evil.example',
    '/ /evil.example',
    '/\u0000/evil.example',
    '/é',
    '/a\r\nset-cookie: x=1',
    `/${'a'.repeat(1_024)}`,
  ];
  for (const returnTo of elsewhere) assert.equal(landing(returnTo), null, JSON.stringify(returnTo));
});

test('any accepted return_to stays on this service', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '//',
    '@',
    ':',
    '?',
    '#',
    '%2f',
    '%5c',
    '\t',
    ' ',
    'evil.example',
    'x',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(part, { maxLength: 8 }).map((list) => list.join('')),
        anyText(),
      ),
      (args) => {
        const url = landing(args);
        assert.ok(url === null || url.origin === BASE, `${JSON.stringify(args)} leads to ${url}`);
        // As browsers interpret the header: relative to the callback.
        if (url !== null) assert.equal(new URL(url.href, `${BASE}/api/auth/google/callback`).origin, BASE);
      },
    ),
  );
});

test('dots in return_to cannot turn the path into a host', () => {
  assert.equal(landing('/..//evil.example')?.href, `${BASE}//evil.example`);
  assert.equal(landing('/.//evil.example')?.host, 'capstan.example');
});
