import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Builds the published package: ES modules and declarations in dist/, without TypeScript. Run by `npm pack`. */

process.chdir(import.meta.dirname);
rmSync('dist', { recursive: true, force: true });
execFileSync('tsc', ['-p', '.'], { stdio: 'inherit' });
// The compiler leaves declarations that import `.ts` files, which the package does not contain.
for (const path of globSync('dist/**/*.d.ts')) {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/((?:from |import\()["']\.{1,2}\/[^"']+)\.ts(?=["'])/g, '$1.js'));
}
copyFileSync('../LICENSE', 'LICENSE');
