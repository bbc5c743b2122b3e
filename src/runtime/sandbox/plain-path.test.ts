import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInside, isPlainPath } from './plain-path.ts';

test('isInside() accepts any relative path that cannot leave its folder', () => {
  for (const path of ['a', 'a/b.txt', '...', 'C:x', 'é/漢字', '__proto__', '\u202ex']) assert.ok(isInside(path), path);
  for (const path of ['', '/a', 'a/', 'a//b', '.', '../a', 'a/../b', 'a\0', `${'x/'.repeat(600)}x`])
    assert.ok(!isInside(path), path);
});

test('isPlainPath() refuses paths with control characters, backslashes or drive letters', () => {
  for (const path of ['a', 'a b/c.txt', 'é/漢字', '😀', '__proto__', 'x'.repeat(255)])
    assert.ok(isPlainPath(path), path);
  for (const path of [
    '../a',
    'C:x',
    'c:/x',
    'a\\b',
    'a\nb',
    '\u001b[2J',
    '\u009b',
    'a\u202egnp.exe',
    '\u2066',
    '\u2028',
    '\ud800',
    'a/x\udc00',
  ])
    assert.ok(!isPlainPath(path), JSON.stringify(path));
  assert.ok(!isPlainPath('é'.repeat(128)));
});
