import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input } from '#test/docs-deps.ts';
import { getFavicon } from './get-favicon.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

test('200: an icon file whose entries are PNGs of 16, 32 and 48 pixels', async () => {
  const { body, media_type, cache_control } = await getFavicon()(input({}));
  assert.deepEqual([media_type, cache_control], ['image/x-icon', 'public, max-age=86400']);
  const file = body as Buffer;
  assert.deepEqual([file.readUInt16LE(0), file.readUInt16LE(2)], [0, 1], 'the header of an icon');
  const sizes = Array.from({ length: file.readUInt16LE(4) }, (_, number) => {
    const entry = file.subarray(6 + 16 * number);
    const [length, at] = [entry.readUInt32LE(8), entry.readUInt32LE(12)];
    const png = file.subarray(at, at + length);
    assert.equal(png.length, length);
    assert.deepEqual(png.subarray(0, 8), PNG);
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [entry[0], entry[1]]);
    return entry[0];
  });
  assert.deepEqual(sizes, [16, 32, 48]);
});
