import { spawn } from 'node:child_process';
import { access, constants, writeFile } from 'node:fs/promises';
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The compile cache of `src/app/compile-cache.mjs`, filled once for all of the program: by the first start, or by `capstan warm`. */

const MARK = 'filled';
/** After the start and its test of the sandbox, which have the processor first. */
const FILL_AFTER_MS = 15_000;
const LOWEST_PRIORITY = 19;

/** Writes what this process has compiled, and that nothing is missing. */
export async function markCacheFilled(): Promise<void> {
  const dir = getCompileCacheDir();
  if (dir === undefined) return;
  flushCompileCache();
  await writeFile(join(dir, MARK), '').catch(() => {});
}

/**
 * Runs `warm` in a process of its own where the cache was never filled. The program works without, with more memory and a slower
 * start, so a failure is left for the next start. `signal` ends the process.
 */
export async function fillCacheLater(signal: AbortSignal, after_ms = FILL_AFTER_MS): Promise<void> {
  await sleep(after_ms, undefined, { signal, ref: false }).catch(() => {});
  if (signal.aborted || !(await isToBeFilled(getCompileCacheDir()))) return;
  const args = [...process.execArgv, process.argv[1] as string, 'warm'];
  const child = spawn(process.execPath, args, { stdio: 'ignore', signal });
  child.on('error', () => {});
  if (child.pid !== undefined) setPriority(child.pid, LOWEST_PRIORITY);
  child.unref();
}

async function isToBeFilled(dir: string | undefined): Promise<boolean> {
  if (dir === undefined) return false;
  const can = (path: string, mode: number) =>
    access(path, mode).then(
      () => true,
      () => false,
    );
  return !(await can(join(dir, MARK), constants.F_OK)) && (await can(dir, constants.W_OK));
}
