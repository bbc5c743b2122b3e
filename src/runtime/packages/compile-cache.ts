import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mount } from '#runtime/boxes/box.ts';
import { BOX_NODE } from '#runtime/boxes/host.ts';
import { makeShared } from './inside.ts';
import { INSTALL_ROOT, type InstallDriver, type InstallLimits } from './install-box.ts';
import type { PackageEntry } from './package.ts';

/**
 * Node's compile cache of a prepared package. Compiled code is not the same from run to run, so it is a tree beside the
 * package's, with its own digest, and the package's digest does not depend on it. To fill it, the package is started
 * once, without network, secrets and arguments, and asked for its tools. A missing cache is not a failure.
 */
const CACHE_ROOT = '/package-cache';

interface WarmRequest {
  boxes: InstallDriver;
  /** The stored tree and the runtime. */
  mounts: readonly Mount[];
  entry: PackageEntry;
  /** An empty host folder that the box may fill. */
  dir: string;
  limits: InstallLimits;
  signal: AbortSignal;
}

const MOST_BYTES = 256 * 1024 * 1024;
const WALL_MS = 6_000;
const FLUSH_MS = 100;
const MOST_OUTPUT = 1024 * 1024;

/** Writes the cache repeatedly, because many servers end by a signal and would never write it. */
const PRELOAD = `const { flushCompileCache } = require('node:module');
setInterval(() => flushCompileCache(), ${FLUSH_MS}).unref();
`;

const HELLO = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'capstan', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join('');

export const cacheMount = (dir: string): Mount => ({ from: dir, to: CACHE_ROOT, writable: false });

export const withCache = ({ argv, env, cwd }: PackageEntry): PackageEntry => ({
  argv,
  env: Object.assign({ NODE_COMPILE_CACHE: CACHE_ROOT }, env),
  cwd,
});

export const isNode = (entry: PackageEntry): boolean => entry.argv[0] === BOX_NODE;

/** Returns the host folder of the cache, or null if nothing was cached. */
export async function warmUp({ boxes, mounts, entry, dir, limits, signal }: WarmRequest): Promise<string | null> {
  const cache = join(dir, 'compile-cache');
  await makeShared(cache);
  await writeFile(join(dir, 'preload.cjs'), PRELOAD);
  // The user's values are not known yet.
  const isKnown = (text: string): boolean => !/\$\{user_config\./.test(text);
  const [program = '', ...args] = entry.argv.filter(isKnown);
  const env = Object.fromEntries(Object.entries(entry.env).filter(([, value]) => isKnown(value)));
  const maxBytes = Math.min(MOST_BYTES, limits.max_bytes);
  const box = await boxes.start({
    argv: [program, `--require=${INSTALL_ROOT}/preload.cjs`, ...args],
    env: Object.assign(env, { NODE_COMPILE_CACHE: `${INSTALL_ROOT}/compile-cache` }),
    cwd: entry.cwd,
    mounts: [...mounts, { from: dir, to: INSTALL_ROOT, writable: true }],
    disk: { dir, bytes: maxBytes },
    limits: {
      memory_bytes: 1024 * 1024 * 1024,
      processes: 128,
      open_files: 1_024,
      file_bytes: maxBytes,
      cpu_ms: WALL_MS,
      tmp_bytes: 64 * 1024 * 1024,
      shm_bytes: 16 * 1024 * 1024,
      wall_ms: WALL_MS,
    },
    egress: { mode: 'none', watch: false },
    signal,
  });
  box.stdin.on('error', () => {});
  box.stderr.on('error', () => {}).resume();
  box.stdin.write(HELLO);
  const answered = new Promise<void>((resolve) => {
    let text = '';
    box.stdout.on('error', () => resolve()).on('end', () => resolve());
    box.stdout.on('data', (chunk: Buffer) => {
      if (text.length < MOST_OUTPUT) text += chunk.toString('latin1');
      if (/"id":\s?2[,}]/.test(text.slice(-chunk.length - 16))) resolve();
    });
  });
  await Promise.race([answered, box.gone]);
  // Servers that end with their input write the cache on their way out; the others have written it by then.
  box.stdin.end();
  await Promise.race([box.gone, sleep(5 * FLUSH_MS)]);
  box.kill();
  await box.gone;
  signal.throwIfAborted();
  return (await readdir(cache)).length > 0 ? cache : null;
}
