import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteList } from './byte-list.ts';

test('a byte list returns the pushed bytes unchanged, whatever their sizes', () => {
  const list = byteList();
  let expected = '';
  for (const size of [0, 1, 65_535, 65_536, 65_537, 3, 200_000]) {
    const text = String.fromCharCode(97 + (size % 26)).repeat(size);
    list.push(Buffer.from(text));
    expected += text;
  }
  assert.equal(list.toString(), expected);
  assert.equal(byteList().toString(), '');
});

test('a byte list copies pushed bytes and accepts characters split between pushes', () => {
  const list = byteList();
  const bytes = Buffer.from('é');
  for (const byte of bytes) list.push(Buffer.from([byte]));
  bytes.fill(0);
  assert.equal(list.toString(), 'é');
});
