import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { markPixels } from './mark.ts';
import { encodePng } from './png.ts';

const style = (name: string) => readFileSync(new URL(`../style/${name}`, import.meta.url));

test('the stored icons are those that the logo is drawn as: npm run icons', () => {
  for (const size of [180, 192, 512])
    assert.deepEqual(style(`icon-${size}.png`), encodePng(markPixels(size)), `${size} pixels`);
  assert.ok(style('favicon.ico').includes(encodePng(markPixels(32, true))));
});

test('corners are transparent where they are round, and no row is larger than the picture', () => {
  const { alpha = new Uint8Array(), rgb } = markPixels(64, true);
  assert.deepEqual([alpha[0], alpha[32 * 64 + 32]], [0, 255]);
  assert.deepEqual([...rgb.subarray((32 * 64 + 32) * 3, (32 * 64 + 32) * 3 + 3)], [255, 255, 255]);
  const file = encodePng(markPixels(64, true));
  const from = file.indexOf('IDAT') + 4;
  assert.equal(inflateSync(file.subarray(from, -16)).byteLength, 64 * (1 + 64 * 4));
});
