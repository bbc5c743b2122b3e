import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { MAX_ICON_BYTES, rasterOf } from './raster.ts';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
function png(width: number, height: number, pixels: Buffer, more: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
const rows = (width: number, height: number): Buffer => deflateSync(Buffer.alloc(height * (1 + width * 3)));

test('a PNG keeps its pixels and loses its metadata', async () => {
  const text = chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(1_000_000))]));
  const found = await rasterOf(png(64, 32, rows(64, 32), [text]));
  assert.deepEqual([found?.media_type, found?.width, found?.height], ['image/png', 64, 32]);
  assert.deepEqual(Buffer.from(found?.bytes ?? []), png(64, 32, rows(64, 32)));
});

test('a PNG whose data is more or less than its size, or that is too large, is refused', async () => {
  const bad = {
    bomb: png(64, 32, deflateSync(Buffer.alloc(50_000_000))),
    short: png(64, 32, rows(64, 31)),
    wide: png(1_025, 8, rows(1_025, 8)),
    huge: png(65_535, 65_535, rows(8, 8)),
    tiny: png(1, 1, rows(1, 1)),
    cut: png(64, 32, rows(64, 32)).subarray(0, -6),
    twice: png(64, 32, rows(64, 32), [chunk('IHDR', Buffer.alloc(13))]),
    long: Buffer.concat([png(64, 32, rows(64, 32)), Buffer.alloc(MAX_ICON_BYTES)]),
  };
  for (const [name, bytes] of Object.entries(bad)) assert.equal(await rasterOf(bytes), null, name);
});

/** Two scans of no real data: their content is not decoded. */
const JPEG = Buffer.from(
  'ffd8' +
    'ffe1000a457869660000dead'.slice(0, 24) +
    'ffc0000b080020004001011100' +
    'ffda0008010100003f00' +
    'aaff00bbffd7cc' +
    'ffda0008010100003f00' +
    'dd' +
    'ffd9',
  'hex',
);

test('a JPEG has its size read, and its metadata removed', async () => {
  const found = await rasterOf(JPEG);
  assert.deepEqual([found?.media_type, found?.width, found?.height], ['image/jpeg', 64, 32]);
  assert.ok(!Buffer.from(found?.bytes ?? []).includes('Exif'));
  const scan = JPEG.subarray(JPEG.lastIndexOf(Buffer.from('ffda', 'hex')), -2);
  const many = Buffer.concat([JPEG.subarray(0, -2), ...Array.from({ length: 20 }, () => scan), JPEG.subarray(-2)]);
  assert.equal(await rasterOf(many), null, 'too many scans');
  assert.equal(await rasterOf(JPEG.subarray(0, 26)), null);
});

function webp(type: string, data: string): Buffer {
  const body = Buffer.from(data, 'hex');
  const head = Buffer.alloc(20);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(12 + body.length, 4);
  head.write(`WEBP${type}`, 8, 'latin1');
  head.writeUInt32LE(body.length, 16);
  return Buffer.concat([head, body]);
}

test('a WebP is a still image alone; other formats are refused', async () => {
  assert.deepEqual((await rasterOf(webp('VP8 ', '3000009d012a40002000aabb')))?.width, 64);
  assert.deepEqual((await rasterOf(webp('VP8L', '2f3fc00700aabbccddeeff00')))?.height, 32);
  assert.equal(await rasterOf(webp('VP8X', '100000003f00001f00000000')), null);
  assert.equal(await rasterOf(Buffer.concat([webp('VP8 ', '3000009d012a40002000aabb'), Buffer.alloc(8)])), null);
  for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>', 'GIF89a                ', ''])
    assert.equal(await rasterOf(Buffer.from(text)), null, text);
});
