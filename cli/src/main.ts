#!/usr/bin/env node
import { run } from './program.ts';
import { realWorld } from './world.ts';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
// Whoever reads us may have had enough: `capstan search … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await run(process.argv.slice(2), realWorld(stop.signal));
