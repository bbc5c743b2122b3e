import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { digestOf, isSkillName, isSkillPath, languageOf, mediaTypeOf } from './skill.ts';

test('skill names: lower-case words and digits joined by single hyphens, at most 64 characters', () => {
  for (const name of ['a', 'csv-profile', 'x1-2', 'a'.repeat(64)]) assert.ok(isSkillName(name), name);
  for (const name of ['', 'A', '-a', 'a-', 'a--b', 'a_b', 'a b', 'é', 'a'.repeat(65), 'a\n'])
    assert.ok(!isSkillName(name), name);
});

test('skill paths: plain relative segments only', () => {
  for (const path of ['SKILL.md', 'scripts/run.py', '__init__.py']) assert.ok(isSkillPath(path), path);
  for (const path of ['', '/a', 'a//b', '../a', 'a/..', '.a', 'a/.b', 'a\\b', 'a b', 'a\0', 'a%2fb'])
    assert.ok(!isSkillPath(path), path);
});

test('serves files that a browser could execute as plain text', () => {
  for (const path of ['a.html', 'a.HTM', 'a.svg', 'a.xhtml', 'a.xml', 'a.js', 'a.mjs', 'a.css', 'LICENSE'])
    assert.equal(mediaTypeOf(path), 'text/plain; charset=utf-8', path);
  for (const path of ['a.pdf', 'a.swf', 'a.constructor', 'a.__proto__', 'a.html.x'])
    assert.equal(mediaTypeOf(path), 'application/octet-stream', path);
  assert.equal(mediaTypeOf('SKILL.md'), 'text/markdown; charset=utf-8');
  assert.equal(mediaTypeOf('assets/rig.yaml'), 'application/yaml; charset=utf-8');
});

test('detects the language of a script by its extension', () => {
  assert.deepEqual(['a.sh', 'a.py', 'a.mjs', 'a.rb', 'sh'].map(languageOf), [
    'bash',
    'python',
    'javascript',
    undefined,
    undefined,
  ]);
});

test('the digest equals that of the sorted sha256sum listing, in any order of files', () => {
  const files = [
    { path: 'b', sha256: 'f'.repeat(64) },
    { path: 'B/a', sha256: '0'.repeat(64) },
  ];
  const listing = `${'0'.repeat(64)}  B/a\n${'f'.repeat(64)}  b\n`;
  const expected = `sha256:${createHash('sha256').update(listing).digest('hex')}`;
  assert.equal(digestOf(files), expected);
  assert.equal(digestOf(files.toReversed()), expected);
});

test('different sets of files have different digests', () => {
  const path = fc.stringMatching(/^[a-z]{1,3}$/);
  const file = fc.record({ path, sha256: fc.stringMatching(/^[01]{64}$/) });
  const files = fc.uniqueArray(file, { selector: (entry) => entry.path, maxLength: 4 });
  const key = (list: { path: string; sha256: string }[]) =>
    JSON.stringify(Object.entries(Object.fromEntries(list.map((entry) => [entry.path, entry.sha256]))).sort());
  fc.assert(fc.property(files, files, (a, b) => (digestOf(a) === digestOf(b)) === (key(a) === key(b))));
});
