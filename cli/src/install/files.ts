import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Failure } from '../failure.ts';

/** Writes files of the user atomically. */

/** Null if the file does not exist. */
export async function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Follows links and keeps the file's permissions. */
export async function writeText(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const mode = await lstat(target).then(
    (stats) => stats.mode & 0o777,
    () => 0o600,
  );
  await mkdir(dirname(target), { recursive: true });
  const beside = `${target}.${randomUUID()}`;
  await writeFile(beside, text, { mode });
  await rename(beside, target);
}

export interface Content {
  path: string;
  bytes: Uint8Array;
  sha256: string;
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Into a folder that is not there yet: beside it first, then moved in one step. */
export async function writeFolder(folder: string, files: readonly Content[]): Promise<void> {
  const beside = `${folder}.${randomUUID()}`;
  try {
    for (const { path, bytes } of files) {
      const file = within(beside, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes);
    }
    await rename(beside, folder);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** Takes away what is as it was written, and then empty folders; answers what was changed since and stays. */
export async function removeFiles(
  folder: string,
  files: readonly { path: string; sha256: string }[],
  is_dry: boolean,
): Promise<string[]> {
  const changed: string[] = [];
  for (const { path, sha256 } of files) {
    const file = within(folder, path);
    const bytes = await readFile(file).catch(() => null);
    if (bytes === null) continue;
    if (sha256Of(bytes) !== sha256) changed.push(path);
    else if (!is_dry) await rm(file);
  }
  if (is_dry) return changed;
  const folders = new Set(files.map(({ path }) => dirname(within(folder, path))));
  for (const path of [...folders, folder].sort((a, b) => b.length - a.length)) await rmdir(path).catch(() => {});
  return changed;
}

/** An untrusted path never leaves its folder. */
export function within(folder: string, path: string): string {
  const file = resolve(folder, path);
  const isPlain = path !== '' && !/[\\\0]/.test(path) && file.startsWith(`${resolve(folder)}${sep}`);
  if (!isPlain)
    throw new Failure('cli.path', `${JSON.stringify(path)} is outside the skill folder.`, {
      fix: 'Nothing was written.',
    });
  return join(file);
}
