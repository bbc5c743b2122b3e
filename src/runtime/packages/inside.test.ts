import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { existsInside, insidePath, readInside } from './inside.ts';

const base = await mkdtemp(join(tmpdir(), 'capstan-inside-'));
after(() => rm(base, { recursive: true, force: true }));
const root = join(base, 'tree');
await mkdir(join(root, 'folder'), { recursive: true });
await writeFile(join(base, 'secret'), 'secret');
await mkdir(join(base, 'tree-beside'));
await writeFile(join(base, 'tree-beside/secret'), 'secret');
await writeFile(join(root, 'folder/file'), 'text');
await symlink('folder/file', join(root, 'good'));
await symlink('../secret', join(root, 'out'));
await symlink('/etc/passwd', join(root, 'absolute'));
await symlink('../tree-beside', join(root, 'beside'));
await symlink('..', join(root, 'parent'));

test('reads files inside a package folder, directly or through a symlink', async () => {
  assert.equal(`${await readInside(root, 'folder/file', 100)}`, 'text');
  assert.equal(`${await readInside(root, 'good', 100)}`, 'text');
  assert.equal(await existsInside(root, 'folder'), true);
});

for (const path of ['out', 'absolute', 'beside/secret', 'parent/secret', '../secret', 'missing'])
  test(`does not read ${path}, which is missing or leads outside the folder`, async () => {
    assert.equal(await insidePath(root, path), null);
    assert.equal(await readInside(root, path, 100), null);
    assert.equal(await existsInside(root, path), false);
  });

test('does not read a folder, or a file larger than the limit', async () => {
  assert.equal(await readInside(root, 'folder', 100), null);
  assert.equal(await readInside(root, 'folder/file', 3), null);
});
