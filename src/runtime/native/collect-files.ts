import { constants } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_OUTPUT_FILES } from '#runtime/sandbox/collect.ts';
import { isPlainPath } from '#runtime/sandbox/plain-path.ts';

/** Reads the files that a script left in its output folder. The box has ended, so nothing changes meanwhile. */
interface CollectedFiles {
  files: Map<string, Uint8Array>;
  /** Links, special files, unsafe names, and files over the limit. */
  left_out: number;
}

const MOST_ENTRIES = 10_000;
const MOST_DEPTH = 32;

/** @param clean is applied to the bytes of each file. */
export async function collectFiles(
  root: string,
  max_bytes: number,
  clean: (bytes: Buffer) => Buffer,
): Promise<CollectedFiles> {
  const files = new Map<string, Uint8Array>();
  let left_out = 0;
  let room = max_bytes;
  let entries = 0;
  const pending = [{ path: '', depth: 0 }];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for await (const entry of await opendir(join(root, folder.path))) {
      entries += 1;
      if (entries > MOST_ENTRIES) return { files, left_out: left_out + 1 };
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      if (entry.isDirectory() && folder.depth < MOST_DEPTH) {
        pending.push({ path, depth: folder.depth + 1 });
        continue;
      }
      const fits = entry.isFile() && isPlainPath(path) && files.size < MAX_OUTPUT_FILES;
      const bytes = fits ? await readUpTo(join(root, path), room) : null;
      if (bytes === null) {
        left_out += 1;
        continue;
      }
      room -= bytes.length;
      files.set(path, clean(bytes));
    }
  }
  return { files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))), left_out };
}

/** Null if the file is larger, cannot be read, or is a link. */
async function readUpTo(path: string, maxBytes: number): Promise<Buffer | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    return size > maxBytes ? null : await file.readFile();
  } finally {
    await file.close();
  }
}
