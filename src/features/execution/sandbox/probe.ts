import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { env } from 'node:process';

/**
 * Runs where a script's engine would run and tries what must not work, as code that has escaped the engine could.
 * fd 3: one line of JSON, the names of what did work.
 */
export type Breach = 'read' | 'write' | 'spawn' | 'network' | 'root' | 'environment';

// A shell puts these into any environment; they tell nothing.
const HARMLESS = new Set(['PWD', 'OLDPWD', 'SHLVL', '_']);

const works = (act: () => unknown): boolean => {
  try {
    act();
    return true;
  } catch {
    return false;
  }
};

/** Refused by the permission model, not by whoever listens there: any other answer means that packets go out. */
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

const tried: Record<Breach, boolean> = {
  read: works(() => readFileSync('/etc/passwd')),
  write: works(() => writeFileSync('/tmp/capstan-probe', 'x')),
  spawn: works(() => {
    const { error } = spawnSync('/bin/true');
    if (error) throw error;
  }),
  network: await connects(),
  root: process.getuid?.() === 0,
  environment: Object.keys(env).some((name) => !HARMLESS.has(name)),
};
const breaches = Object.keys(tried).filter((name) => tried[name as Breach]);
writeSync(3, `${JSON.stringify(breaches)}\n`);
process.exit(0);
