import { spawnSync } from 'node:child_process';
import { openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { env, execPath } from 'node:process';
import { Worker } from 'node:worker_threads';

/**
 * Runs in place of a script's engine and tries forbidden operations, as code that escaped from the engine would.
 * fd 3: one line of JSON, the names of operations that succeeded.
 */
export type Breach = 'read' | 'write' | 'spawn' | 'signal' | 'network' | 'root' | 'environment';

// Shells set these in every environment; they reveal nothing.
const HARMLESS = new Set(['PWD', 'OLDPWD', 'SHLVL', '_']);

function works(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

/** The permission model must refuse the connection; any other error means that packets were sent. */
const connects = (): Promise<boolean> =>
  new Promise((resolve) => {
    try {
      const socket = connect({ host: '127.0.0.1', port: 9 });
      socket.on('connect', () => resolve(true));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ERR_ACCESS_DENIED'));
    } catch {
      resolve(false);
    }
  });

/** Python and QuickJS run in workers, so the same operations must be refused there, with any worker options. */
const IN_WORKER = `
  const works = (act) => { try { act(); return true } catch { return false } };
  require('node:worker_threads').parentPort.postMessage({
    read: works(() => require('node:fs').openSync(process.execPath)),
    spawn: works(() => { const { error } = require('node:child_process').spawnSync('/bin/true'); if (error) throw error }),
  });`;

const worker = (options: object): Promise<{ read: boolean; spawn: boolean }> =>
  new Promise((resolve) => {
    const thread = new Worker(IN_WORKER, { eval: true, ...options });
    thread.on('message', resolve);
    thread.on('error', () => resolve({ read: false, spawn: false }));
  });

const workers = await Promise.all([{}, { execArgv: [] }, { env: {} }].map(worker));

const tried: Record<Breach, boolean> = {
  read:
    [() => readFileSync('/etc/passwd'), () => openSync(execPath, 'r')].some(works) || workers.some(({ read }) => read),
  write: works(() => writeFileSync('/tmp/capstan-probe', 'x')),
  spawn:
    works(() => {
      const { error } = spawnSync('/bin/true');
      if (error) throw error;
    }) || workers.some(({ spawn }) => spawn),
  signal: works(() => process.kill(process.ppid, 0)),
  network: await connects(),
  root: process.getuid?.() === 0,
  environment: Object.keys(env).some((name) => !HARMLESS.has(name)),
};
const breaches = Object.keys(tried).filter((name) => tried[name as Breach]);
writeSync(3, `${JSON.stringify(breaches)}\n`);
process.exit(0);
