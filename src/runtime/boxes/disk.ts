import { lstat, opendir, readdir, readlink, stat } from 'node:fs/promises';

/** Counts the bytes that a box has written into its folder. Names may be any bytes, so paths are buffers. */

const BLOCK_BYTES = 512;
/** An empty file takes an inode; counting it bounds the number of files too. */
const LEAST_BYTES = 4096;
const MAX_DESCRIPTORS = 10_000;
const SLASH = Buffer.from('/');

/** `hidden` is a folder that cannot be counted: too deep for a path, or closed by the box. */
interface DiskCount {
  bytes: number;
  hidden: string | null;
}

/** Stops as soon as more than `limit_bytes` are found. Links are not followed. */
export async function countFolder(dir: string, limit_bytes: number): Promise<DiskCount> {
  const count: DiskCount = { bytes: 0, hidden: null };
  const open = [Buffer.from(dir)];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    try {
      for await (const entry of await opendir(folder, { encoding: 'buffer' as 'utf8' })) {
        const path = Buffer.concat([folder, SLASH, entry.name as unknown as Buffer]);
        const found = await lstat(path).catch(ignoreMissing);
        if (found === null) continue;
        count.bytes += Math.max(found.blocks * BLOCK_BYTES, LEAST_BYTES);
        if (found.isDirectory()) open.push(path);
        if (count.bytes > limit_bytes) return count;
      }
    } catch (error) {
      ignoreMissing(error);
    }
  }
  return count;

  /** Files that were removed meanwhile do not count; any other error means hidden bytes. */
  function ignoreMissing(error: unknown): null {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code !== 'ENOENT' && code !== 'ENOTDIR') count.hidden ??= code;
    return null;
  }
}

/** Folders in /proc of the box's processes. */
export async function processFolders(pid: number): Promise<string[]> {
  const proc = `/proc/${pid}/root/proc`;
  const names = await readdir(proc).catch(() => []);
  return names.filter((entry) => /^\d+$/.test(entry)).map((name) => `${proc}/${name}`);
}

/** Bytes of files that were removed but are still open in one of these processes: no folder shows them. */
export async function countRemoved(processes: readonly string[], dir: string): Promise<number> {
  const { dev } = await stat(dir);
  const counted = new Set<string>();
  let bytes = 0;
  let left = MAX_DESCRIPTORS;
  for (const folder of processes)
    for (const fd of await readdir(`${folder}/fd`).catch(() => [])) {
      if (left-- === 0) return bytes;
      const path = `${folder}/fd/${fd}`;
      const target = await readlink(path).catch(() => '');
      if (!target.endsWith(' (deleted)')) continue;
      const found = await stat(path).catch(() => null);
      if (found === null || found.dev !== dev || counted.has(`${found.dev} ${found.ino}`)) continue;
      counted.add(`${found.dev} ${found.ino}`);
      bytes += found.blocks * BLOCK_BYTES;
    }
  return bytes;
}
