import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { itemPath } from './item-path.ts';

const BASE = '/api/marketplace/registry/docker/';

test('slashes in an id are left plain unless a client would change the path', () => {
  assert.equal(itemPath('docker', 'a/b c'), `${BASE}a/b%20c`);
  for (const id of ['a//b', '/a', 'a/', 'a/../b', './a'])
    assert.equal(itemPath('docker', id), BASE + encodeURIComponent(id));
});

test('clients send the path of any id unchanged, and it decodes to the id', () => {
  const ids = fc
    .string({ minLength: 1, unit: 'grapheme' })
    .filter((id) => id.isWellFormed() && id !== '.' && id !== '..');
  fc.assert(
    fc.property(ids, (id) => {
      const path = itemPath('docker', id);
      assert.equal(new URL(path, 'http://h').pathname, path);
      assert.equal(decodeURIComponent(path.slice(BASE.length)), id);
    }),
  );
});
