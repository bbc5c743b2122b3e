import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { mayAsk, parseRobots } from './robots.ts';

const asks = (robots: string, path: string) => mayAsk(parseRobots(robots), new URL(path, 'https://x.example'));

test('robots.txt: our group applies, or else the group for all, and groups of one name are combined', () => {
  const both = 'User-agent: *\nDisallow: /\n\nUser-Agent: CAPSTAN/2.0\nDisallow: /private\n';
  assert.deepEqual([asks(both, '/mcp'), asks(both, '/private/mcp')], [true, false]);
  const everybody = '\uFEFFuser-agent: *\r\ndisallow: /mcp # not here\r\n';
  assert.deepEqual(
    [asks(everybody, '/mcp'), asks(everybody, '/mcp/x'), asks(everybody, '/other')],
    [false, false, true],
  );
  const split = 'User-agent: other\nUser-agent: capstan\nDisallow: /a\n\nUser-agent: capstan\nDisallow: /b';
  assert.deepEqual(
    ['/a', '/b', '/c'].map((path) => asks(split, path)),
    [false, false, true],
  );
  assert.equal(asks('User-agent: *\nDisallow: /\nUser-agent: capstan\n', '/mcp'), true, 'our group is empty');
  assert.equal(asks('User-agent: capstanette\nDisallow: /', '/mcp'), true, 'another name with the same prefix');
  for (const nothing of ['', 'Disallow: /', 'User-agent: *\nDisallow:\n', '<html>Not found</html>'])
    assert.equal(asks(nothing, '/mcp'), true, nothing);
});

test('robots.txt: the longest rule wins, Allow wins ties, and * and $ follow RFC 9309', () => {
  const rules =
    'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.json$\nDisallow: /x*y*z\nAllow: /same\nDisallow: /same\n';
  const may = (path: string) => asks(rules, path);
  assert.deepEqual(['/a', '/a/b', '/a/c'].map(may), [false, true, false]);
  assert.deepEqual(['/t.json', '/t.json?x', '/t.json.json', '/t.jsonx'].map(may), [false, true, false, true]);
  assert.deepEqual(['/xyz', '/x--y--z--', '/xzy'].map(may), [false, false, true]);
  assert.equal(may('/same'), true);
  assert.equal(asks('User-agent: *\nDisallow: /', '/robots.txt'), true);
  assert.equal(asks('User-agent: *\nDisallow: /caf%c3%a9/%7Eme', '/café/~me'), false);
  assert.equal(asks('User-agent: *\nDisallow: *$', '/anything'), false);
});

test('robots.txt: any text is parsed in linear time', () => {
  const pieces = ['*', '$', '%', '%2', '%zz', '\0', '\u{d800}', 'é', '#', ':', '\n', 'user-agent', ' ', '/', 'a'];
  const any = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(any, any, (text, path) => {
      const rules = parseRobots(`user-agent: *\ndisallow: /${text}\nallow: ${text}`);
      assert.equal(typeof mayAsk(rules, new URL(encodeURI(`https://x.example/${path.toWellFormed()}`))), 'boolean');
    }),
  );
  const hostile = `User-agent: *\n${`Disallow: /${'a*'.repeat(900)}b$\n`.repeat(250)}`;
  const long = new URL(`https://x.example/${'a'.repeat(2_000)}`);
  assert.ok(cpuTimeOf(() => mayAsk(parseRobots(hostile), long), 500) < 500);
  const repeated = 'User-agent: *\n'.repeat(17_000) + 'Allow: /\n'.repeat(29_000);
  assert.ok(cpuTimeOf(() => parseRobots(repeated), 500) < 500);
});
