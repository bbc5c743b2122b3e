import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box, BoxEnd, BoxOrder, Mount } from '#runtime/boxes/box.ts';
import { BOX_NODE } from '#runtime/boxes/host.ts';
import type { InstallDriver } from '#runtime/packages/install-box.ts';

/** Runs orders as plain processes of this host, without any lock, for tests of what is inside. Mounts become host paths. */
export interface HostDriver extends InstallDriver {
  /** What was ordered so far. */
  orders: BoxOrder[];
}

export function hostDriver(): HostDriver {
  const orders: BoxOrder[] = [];
  return {
    orders,
    start: async (order) => {
      orders.push(order);
      return startOnHost(order);
    },
  };
}

export function startOnHost(order: BoxOrder): Box {
  const mounts: Mount[] = [...order.mounts, { from: process.execPath, to: BOX_NODE, writable: false }];
  const there = (text: string): string =>
    mounts.reduce((path, { from, to }) => (from === to ? path : path.replace(placeOf(to), () => from)), text);
  for (const { from, writable } of order.mounts) if (writable) mkdirSync(from, { recursive: true });
  const [program = '', ...args] = order.argv.map(there);
  const env = Object.fromEntries(Object.entries(order.env).map(([name, value]) => [name, there(value)]));
  // npm would compile itself at each start, which is a fifth of the cost of an installation.
  if (order.argv[1]?.endsWith('/npm-cli.js')) env.NODE_COMPILE_CACHE = join(tmpdir(), 'npm-compile-cache');
  const child = spawn(program, args, { cwd: there(order.cwd), env, detached: true, stdio: 'pipe' });
  let reason: BoxEnd['reason'] = 'exited';
  const end = (why: BoxEnd['reason']) => {
    if (reason === 'exited') reason = why;
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // Already gone.
    }
  };
  const timer = order.limits.wall_ms === null ? undefined : setTimeout(() => end('wall'), order.limits.wall_ms);
  order.signal?.addEventListener('abort', () => end('killed'), { once: true });
  if (order.signal?.aborted) end('killed');
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    hosts: () => [],
    settled: () => {},
    usage: () => ({ cpu_ms: 0, memory_bytes: 0, processes: 1 }),
    kill: () => end('killed'),
    gone: new Promise((resolve) => {
      child.on('error', (error) =>
        resolve({ code: null, signal: null, reason: 'failed_to_start', message: error.message }),
      );
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        resolve({ code, signal, reason, message: `ended: ${reason}` });
      });
    }),
  };
}

/** The path itself and paths below it, but not a longer name that begins like it. */
const placeOf = (path: string): RegExp => new RegExp(`${path}(?![\\w.-])`, 'g');
