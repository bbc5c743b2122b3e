import { spawn } from 'node:child_process';
import { availableParallelism, cpus, totalmem } from 'node:os';

/** `npm run bench [-- catalog|search|search-models|tools|start|sandbox|runtime|tokens|login|receipts|tasks|chat|sessions|mcp|memory|web|threads|tracing|identity|ranking] [ARGS]`: all of them one after the other, each a table. A number makes some shorter: `search 5000`. */
const NAMES = [
  'start',
  'sandbox',
  'runtime',
  'tokens',
  'login',
  'receipts',
  'tasks',
  'chat',
  'sessions',
  'mcp',
  'memory',
  'web',
  'catalog',
  'search',
  'tools',
  'search-models',
  'threads',
  'tracing',
  'identity',
  'ranking',
];
const [only, ...args] = process.argv.slice(2);
if (only !== undefined && !NAMES.includes(only)) {
  process.stderr.write(`usage: npm run bench [-- ${NAMES.join('|')}]\n`);
  process.exit(2);
}

const memoryGib = Math.round(totalmem() / 2 ** 30);
console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, ${memoryGib} GiB, Node ${process.version}`);
for (const name of only === undefined ? NAMES : [only]) {
  console.log(`\n${name}`);
  const child = spawn(process.execPath, [new URL(`./${name}.ts`, import.meta.url).pathname, ...args], {
    stdio: 'inherit',
  });
  const code = await new Promise<number>((resolve) => child.once('exit', (value) => resolve(value ?? 1)));
  if (code !== 0) process.exitCode = code;
}
