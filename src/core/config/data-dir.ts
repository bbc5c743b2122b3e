import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { threadId } from 'node:worker_threads';
import { coreProblem } from '#core/errors.ts';

/** Creates the data directory if needed and checks that it is writable. Returns its absolute path. */
export async function prepareDataDir(dir: string): Promise<string> {
  const path = resolve(dir);
  const probe = join(path, `.probe-${process.pid}-${threadId}`);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await writeFile(probe, '');
    await rm(probe);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw coreProblem(
      'startup.unavailable',
      `Cannot write to DATA_DIR ${path} (${code}). Grant this user write access, or set DATA_DIR to ` +
        'another directory.',
      { reason: 'data_dir_unwritable', cause },
    );
  }
  return path;
}
