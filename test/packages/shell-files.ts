import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import type { TarEntry } from './archives.ts';

/** A program of this machine with its loader and libraries, as the files of an image; null where they cannot be listed. */
export function shellFiles(program = '/bin/sh'): TarEntry[] | null {
  try {
    const listed = execFileSync('ldd', [realpathSync(program)], { encoding: 'utf8' });
    const libraries = [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path as string);
    const fileAt = (path: string, from: string): TarEntry => ({
      path: path.slice(1),
      text: readFileSync(from),
      mode: 0o755,
    });
    return [fileAt(program, program), ...libraries.map((path) => fileAt(path, path))];
  } catch {
    return null;
  }
}
