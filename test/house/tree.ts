import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The source tree as the house rules see it. Paths are relative to the root of the repository. */

export const ROOT = new URL('../../', import.meta.url).pathname;

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** What git tracks or would track. */
export const FILES: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard'],
  {
    cwd: ROOT,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => path !== '' && !isGone(path));

function isGone(path: string): boolean {
  try {
    readFileSync(join(ROOT, path));
    return false;
  } catch {
    return true;
  }
}

export const SOURCES = FILES.filter(
  (path) => /^(src|web|cli\/src|sdk\/(src|generate))\/.*\.ts$/.test(path) && !isGenerated(path),
);

/** Generated files; a separate test checks that they are up to date. */
export function isGenerated(path: string): boolean {
  return path.startsWith('sdk/src/generated/');
}

export const PROGRAM = SOURCES.filter((path) => !path.endsWith('.test.ts'));

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'((?:\.{1,2}\/|#)[^']+)'/gm;

/** Where an import of ours leads: `#core/…` is `src/core/…`, and `#test/…` the tests. */
export function targetOf(from: string, specifier: string): string {
  if (specifier.startsWith('#test/')) return specifier.slice(1);
  return specifier.startsWith('#') ? `src/${specifier.slice(1)}` : normalize(join(dirname(from), specifier));
}

/** The project's own files that this one imports, types included. */
export const importsOf = (path: string): string[] =>
  [...read(path).matchAll(IMPORT)].map((match) => targetOf(path, match[1] as string));
