import { chmod, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Folders that a box writes to. No link in what it has written may lead the host to a file outside. */

/** The real path of an entry in the tree; null if it is missing or outside. */
export async function insidePath(root: string, path: string): Promise<string | null> {
  const realRoot = await realpath(root);
  const real = await realpath(join(root, path)).catch(() => null);
  return real === realRoot || real?.startsWith(realRoot + sep) ? real : null;
}

export const existsInside = async (root: string, path: string): Promise<boolean> =>
  (await insidePath(root, path)) !== null;

/** The file's bytes; null if it is missing, outside, not a plain file or larger than `max_bytes`. */
export async function readInside(root: string, path: string, max_bytes: number): Promise<Buffer | null> {
  const real = await insidePath(root, path);
  if (real === null) return null;
  const stats = await stat(real);
  return stats.isFile() && stats.size <= max_bytes ? readFile(real) : null;
}

/**
 * A folder that a box writes to. The boxes of a root service run as another user; no other user can access it, because the folder
 * around it is closed.
 */
export async function makeShared(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o777);
}
