import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { coreProblem } from '#core/errors.ts';
import { Problem } from '#core/problem/problem.ts';
import { readHeader } from './read-lines.ts';

/**
 * The path of a backup: a file, which is replaced atomically, or a directory, in which the file is named by its time.
 */
export async function placeOf(path: string, created_at: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() === true) return join(path, `capstan-${created_at.replace(/[-:]|\.\d+/g, '')}.backup`);
  if (found !== null) await refuseOthers(path);
  return path;
}

/** A mistyped path must not overwrite a database. */
async function refuseOthers(path: string): Promise<void> {
  await readHeader(path).catch((cause) => {
    throw coreProblem(
      'command.file_unavailable',
      `${path} exists and is not an intact backup, so it was not overwritten. Use another file name, or ` +
        'delete it.',
      { reason: 'backup_write', cause },
    );
  });
}

/** Writes a temporary file, lets `check` read it back, and then renames it. Mode 0600. */
export async function writeWhole<T>(
  path: string,
  lines: AsyncIterable<string>,
  check: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = join(dirname(path), `.${basename(path)}.part`);
  try {
    await rm(draft, { force: true });
    await pack(lines, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
    const checked = await check(draft);
    await rename(draft, path);
    await flushDirectory(dirname(path));
    return checked;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw explained(path, error as NodeJS.ErrnoException);
  }
}

/** With zstd's own checksum in addition to the digests. */
export const pack = (lines: AsyncIterable<string>, out: Writable): Promise<void> =>
  pipeline(
    Readable.from(lines, { objectMode: false }),
    createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
    out,
  );

/** Makes the rename survive a power failure. */
export async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}

function explained(path: string, error: NodeJS.ErrnoException): unknown {
  if (error instanceof Problem || error.syscall === undefined || error.syscall === 'connect') return error;
  const why = error.code === 'ENOSPC' ? 'the disk is full' : `${error.code}`;
  return coreProblem('command.file_unavailable', `Cannot write ${path}: ${why}. The previous file was kept.`, {
    reason: 'backup_write',
    cause: error,
  });
}
