import { spawn } from 'node:child_process';
import { access, constants, writeFile } from 'node:fs/promises';
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Fills the compile cache of `src/app/compile-cache.mjs` once for the whole program, at the first start or with
 * `capstand warm`.
 */

const MARK = 'filled';
/** After startup and the sandbox test, which go first. */
const FILL_AFTER_MS = 15_000;
const LOWEST_PRIORITY = 19;

/** Records that the cache is complete. */
export async function markCacheFilled(): Promise<void> {
  const dir = getCompileCacheDir();
  if (dir === undefined) return;
  flushCompileCache();
  await writeFile(join(dir, MARK), '').catch(() => {});
}

/**
 * Runs `warm` in a separate process if the cache was never filled. The program also works without it, with more memory
 * and a slower start, so a failure is left to the next start. `signal` ends the process.
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
