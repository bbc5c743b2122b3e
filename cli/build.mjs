import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';

/** What is published: the program and the client that it is built on, as ES modules in dist/. Run by `npm pack`. */

process.chdir(import.meta.dirname);
rmSync('dist', { recursive: true, force: true });
execFileSync('tsc', ['-p', '.'], { stdio: 'inherit' });
copyFileSync('../LICENSE', 'LICENSE');
