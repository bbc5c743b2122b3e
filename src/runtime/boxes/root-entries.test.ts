import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MOST_ROOT_ENTRIES, rootEntries } from './root-entries.ts';

const root = mkdtempSync(join(tmpdir(), 'root-entries-'));
after(() => rmSync(root, { recursive: true }));

test('names what is at the root of an image, and refuses more than an engine should mount', async () => {
  const make = (name: string) => writeFileSync(join(root, name), '');
  for (const name of ['usr', 'bin', 'proc']) make(name);
  assert.deepEqual(await rootEntries(root, ['proc']), ['bin', 'usr']);
  for (let n = 2; n < MOST_ROOT_ENTRIES; n++) make(`file-${n}`);
  assert.equal((await rootEntries(root, ['proc'])).length, MOST_ROOT_ENTRIES);
  make('one-more');
  await assert.rejects(rootEntries(root, ['proc']), /more than 256 files and folders at its root/);
});
