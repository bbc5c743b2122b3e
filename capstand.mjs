#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `capstand` on any Node since 20. The published package has the program as JavaScript. */

const published = new URL('./src/app/main.js', import.meta.url);
const main = existsSync(published) ? published : new URL('./src/app/main.ts', import.meta.url);
const flags = ['--import', new URL('compile-cache.mjs', main).href, '--max-semi-space-size=2'];
process.argv.splice(2, 0, ...flags, fileURLToPath(main));
await import('./own-node.mjs');
