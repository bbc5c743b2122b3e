import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { turnsDuring } from '#test/turns.ts';
import { COPIES, imageMounts, volumeMounts } from './volume.ts';

const dir = mkdtempSync(join(tmpdir(), 'volume-'));
const volume = join(dir, 'volume');
mkdirSync(volume);
after(() => rmSync(dir, { recursive: true }));

function folder(name: string, files: number): string {
  const path = join(dir, name);
  mkdirSync(path);
  for (let n = 0; n < files; n++) writeFileSync(join(path, `file-${n}`), 'text');
  return path;
}

const toTools = (from: string) => [{ from, to: '/tools', writable: false }];

test('boxes that start at once share one copy of a folder, and other work is done while it is copied', async () => {
  const from = folder('tools', 100);
  const { turns, result: mounts } = await turnsDuring(() =>
    Promise.all(Array.from({ length: 4 }, () => volumeMounts(volume, toTools(from)))),
  );
  assert.equal(new Set(mounts.map(([mount]) => mount?.sub_path)).size, 1);
  assert.equal(readdirSync(join(volume, COPIES)).length, 1);
  assert.equal(readFileSync(join(volume, mounts[0]?.[0]?.sub_path ?? '', 'file-99'), 'utf8'), 'text');
  assert.ok(turns > 20, `${turns} turns of the event loop`);
});

test('a folder with more files than may be copied is refused, and leaves no copy behind', async () => {
  const before = readdirSync(join(volume, COPIES));
  const mounts = toTools(folder('large', 50));
  await assert.rejects(volumeMounts(volume, mounts, 50), /has more than 50 files and folders/);
  assert.deepEqual(readdirSync(join(volume, COPIES)), before);
});

test('an image is mounted without the folders that a Pod has itself, and without links that lead nowhere', async () => {
  const root = folder('image', 1);
  for (const name of ['proc', 'tmp', 'usr']) mkdirSync(join(root, name));
  symlinkSync('usr', join(root, 'bin'));
  symlinkSync('missing', join(root, 'broken'));
  const mounts = await imageMounts(root, '/host-tools');
  assert.deepEqual(
    mounts.map(({ to }) => to),
    ['/bin', '/file-0', '/usr', '/.capstan/host'],
  );
});
