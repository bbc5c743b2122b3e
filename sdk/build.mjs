import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** What is published: ES modules and their declarations in dist/, without any TypeScript. Run by `npm pack`. */

process.chdir(import.meta.dirname);
rmSync('dist', { recursive: true, force: true });
execFileSync('tsc', ['-p', '.'], { stdio: 'inherit' });
// The compiler leaves declarations naming `.ts` files, which are not there any more.
for (const path of globSync('dist/**/*.d.ts')) {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/((?:from |import\()["']\.{1,2}\/[^"']+)\.ts(?=["'])/g, '$1.js'));
}
copyFileSync('../LICENSE', 'LICENSE');
