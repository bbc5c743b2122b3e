#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// What is compiled is kept, for this user alone: a second start takes half as long. So the rest is loaded after that.
const { env } = process;
enableCompileCache(join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'capstan'));
const [{ run }, { realWorld }] = await Promise.all([import('./program.ts'), import('./world.ts')]);

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
// The reader of a pipe may stop early: `capstan search … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await run(process.argv.slice(2), realWorld(stop.signal));
