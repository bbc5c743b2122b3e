import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { wantedHosts } from '#core/mcp/packaged-servers.ts';
import type { Problem } from '#core/problem/problem.ts';
import { secretValues } from '#core/text/secret-values.ts';
import type { Box, BoxDriver, Mount } from '#runtime/boxes/box.ts';
import type { HostGrant } from '#runtime/egress/egress.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { installTimeout, tooLarge, tooManyFiles } from './errors.ts';

/**
 * Runs a package manager in a box that can only reach its registry and can write one folder. Its only secrets are the operator's
 * credentials for that registry, in a file that is removed before any code of a package could run.
 */

/** The parts of the box driver that are used. */
export type InstallDriver = Pick<BoxDriver, 'start'>;

/** The folder that an install box can fill. */
export const INSTALL_ROOT = '/install';

export interface InstallLimits {
  timeout_ms: number;
  max_bytes: number;
  max_files: number;
}

interface InstallRequest {
  /** Name of the package, for errors. */
  what: string;
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Host folder that is `/install` inside, the only one the box can write to. */
  dir: string;
  /** Beside `/install`, read-only. */
  mounts: readonly Mount[];
  /** Empty: no network. */
  hosts: readonly HostGrant[];
  limits: InstallLimits;
  signal: AbortSignal;
  on_bytes?: ((bytes: number) => void) | undefined;
  /** No output shows them. */
  secrets?: readonly string[];
}

export interface InstallResult {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Hosts that it asked for and that were not granted, as `host` or `host:port`. */
  refused: string[];
}

const MIB = 1024 * 1024;
const MOST_OUTPUT = 8 * MIB;
const WATCH_MS = 500;

/**
 * @throws Problem `packages.timeout`, `packages.unsupported` (`too_large`), `packages.unsupported` (`too_many_files`); the signal's reason. What
 * the manager itself reports is in the result.
 */
export async function runInstall(driver: InstallDriver, request: InstallRequest): Promise<InstallResult> {
  const { what, limits, signal, dir } = request;
  signal.throwIfAborted();
  const box = await driver.start({
    argv: request.argv,
    env: request.env,
    cwd: INSTALL_ROOT,
    mounts: [{ from: dir, to: INSTALL_ROOT, writable: true }, ...request.mounts],
    disk: { dir, bytes: limits.max_bytes },
    limits: {
      memory_bytes: 1024 * MIB,
      processes: 256,
      open_files: 4_096,
      file_bytes: limits.max_bytes,
      cpu_ms: null,
      tmp_bytes: 64 * MIB,
      shm_bytes: 16 * MIB,
      wall_ms: limits.timeout_ms,
    },
    egress: request.hosts.length === 0 ? { mode: 'none', watch: false } : { mode: 'allow', hosts: request.hosts },
    signal,
  });
  box.stdin.on('error', () => {});
  box.stdin.end();
  let fault: Problem | null = null;
  const watch = watchBox(box, request, (problem) => {
    fault ??= problem;
    box.kill();
  });
  const [stdout, stderr, end] = await Promise.all([textOf(box.stdout), textOf(box.stderr), box.gone]);
  await watch.stop();
  signal.throwIfAborted();
  if (fault !== null) throw fault;
  if (end.reason === 'wall') throw installTimeout(what, limits.timeout_ms);
  if (end.reason === 'disk') throw tooLarge(what, limits.max_bytes);
  if (end.reason === 'failed_to_start')
    throw runtimeProblem('packages.unavailable', `The install box did not start: ${end.message}`, {
      reason: 'manager_unavailable',
    });
  const { scrub } = secretValues(request.secrets ?? []);
  const said = end.reason === 'exited' ? stderr : `${stderr}\n${end.message}`;
  const refused = wantedHosts(box.hosts()).map(scrub);
  return { code: end.code, stdout: scrub(stdout), stderr: scrub(said), refused };
}

/** Tells the bytes that arrived, and counts the files, which the box driver does not. */
function watchBox(box: Box, { dir, limits, what, on_bytes }: InstallRequest, refuse: (why: Problem) => void) {
  let counting = Promise.resolve();
  let idle = true;
  let told = 0;
  const timer = setInterval(() => {
    const bytes = box.hosts().reduce((sum, { bytes_in }) => sum + bytes_in, 0);
    if (bytes > told) {
      told = bytes;
      on_bytes?.(bytes);
    }
    if (!idle) return;
    idle = false;
    counting = holdsMoreThan(dir, limits.max_files)
      .then((over) => {
        if (over) refuse(tooManyFiles(what, limits.max_files));
      })
      .finally(() => {
        idle = true;
      });
  }, WATCH_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await counting;
    },
  };
}

/** Counts names without following links; folders that vanish meanwhile do not count. */
async function holdsMoreThan(root: string, most: number): Promise<boolean> {
  const pending = [root];
  let count = 0;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    try {
      for await (const entry of await opendir(path)) {
        count += 1;
        if (count > most) return true;
        if (entry.isDirectory()) pending.push(join(path, entry.name));
      }
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  return false;
}

/** The output as text; the part over the limit is read and dropped. */
async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (bytes < MOST_OUTPUT) chunks.push(chunk.subarray(0, MOST_OUTPUT - bytes));
      bytes += chunk.length;
    }
  } catch {
    // The exit of the box explains more than its broken pipe.
  }
  return Buffer.concat(chunks).toString();
}
