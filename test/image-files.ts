import { matchesGlob } from 'node:path';
import { FILES, read } from './house/tree.ts';

/** What .dockerignore leaves of the tree, by its rules: the last line that fits decides, and a folder's line is for all in it. */
export function imageFiles(): string[] {
  const rules = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: line.replace(/^!/, '') }));
  const fits = (file: string, pattern: string): boolean =>
    pattern === '*' || matchesGlob(file, pattern) || file.startsWith(`${pattern}/`);
  return FILES.filter((file) => rules.findLast(({ pattern }) => fits(file, pattern))?.keeps ?? true);
}
