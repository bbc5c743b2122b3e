import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { visible } from '#core/markdown/escape.ts';
import { packFiles, unpackFiles } from './packed-files.ts';

test('files with hidden characters are the same after a page showed the form', () => {
  const files = [
    { path: 'SKILL.md', content: 'می\u200Cخواهم \u202E<"&\r\n' },
    { path: 'x', base64: 'AAE=' },
  ];
  const packed = packFiles(files);
  assert.equal(visible(packed), packed);
  assert.match(packed, /^[A-Za-z0-9+/=]+$/);
  assert.deepEqual(unpackFiles(packed), files);
});

test('anything else is no file, and a bomb is not inflated', () => {
  const packed = (value: unknown) => deflateRawSync(JSON.stringify(value)).toString('base64');
  for (const text of ['', 'x', '[]', packed({}), packed(7), packed([7, null, { path: 1 }, { path: 'x', content: {} }])])
    assert.deepEqual(unpackFiles(text), [], text);
  assert.deepEqual(unpackFiles(deflateRawSync(Buffer.alloc(64 * 1024 * 1024, ' ')).toString('base64')), []);
});
