import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { refusalOf } from '#test/archive-refusal.ts';
import { plainTar, tarOf, zipOf } from '#test/fakes/archives.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';

/** Archives as large as the limits, which take seconds of processor time to create. */

const all = () => true;

test('refuses an archive with more than 50,000 entries', async () => {
  const many = Array.from({ length: 50_001 }, (_, n) => ({ name: `f${n}`, method: 0 as const }));
  assert.match(await refusalOf(readTar(tarOf(many), all)), /more than 50000 entries/);
  assert.match(await refusalOf(readZip(zipOf(many), all)), /more than 50000 entries/);
});

test('tar: refuses a bomb by its header, and does not decompress data after the end of the archive', async () => {
  const head = gzipSync(plainTar([{ name: 'zeros', size: 600 * 1024 * 1024 }]).subarray(0, 512));
  const zeros = gzipSync(Buffer.alloc(16 * 1024 * 1024));
  // A reader that decompresses everything reports the archive as damaged.
  const damaged = gzipSync('x').fill(0xff, 10);
  const bomb = Buffer.concat([head, zeros, damaged]);
  assert.match(await refusalOf(readTar(bomb, () => false)), /over \d+ bytes unpacked/);
  const followed = Buffer.concat([gzipSync(plainTar([{ name: 'a' }, { name: 'b' }])), zeros, damaged]);
  assert.equal((await readTar(followed, all)).size, 2);
});

test('zip: refuses a bomb by its declared size, and one that unpacks to more than declared', async () => {
  const said = zipOf(Array.from({ length: 30 }, (_, n) => ({ name: `f${n}`, size: 20 * 1024 * 1024 })));
  assert.match(await refusalOf(readZip(said, () => false)), /over \d+ bytes unpacked/);
  assert.notEqual(
    await refusalOf(readZip(zipOf([{ name: 'f', body: Buffer.alloc(20 * 1024 * 1024), size: 100 }]), all)),
    'taken',
  );
});
