import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uriTemplate } from './uri-template.ts';

test('a variable matches no slash, a path does, and both are decoded', () => {
  const { match, variables } = uriTemplate('skill://{name}/{+path}');
  assert.deepEqual(variables, ['name', 'path']);
  assert.deepEqual(match('skill://a%2Fb/c/d%20e.md'), { name: 'a/b', path: 'c/d e.md' });
  for (const uri of [
    'skill://a',
    'skill://a/',
    'skill:///b',
    'other://a/b',
    'skill://a/%zz',
    `skill://a/${'b'.repeat(3_000)}`,
  ])
    assert.equal(match(uri), null, uri.slice(0, 30));
});

test('text outside braces is matched literally', () => {
  assert.deepEqual(uriTemplate('test://a.b/(c)').match('test://a.b/(c)'), {});
  assert.equal(uriTemplate('test://a.b').match('test://axb'), null);
});
