import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { openBlobStore } from '#core/blobs/blob-store.ts';

/** A blob store in a directory that is deleted after the tests of the file. */
export function testBlobs() {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-blobs-'));
  after(() => rmSync(dir, { recursive: true, force: true }));
  return openBlobStore(dir);
}
