import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#core/ids.ts';

/**
 * A lock between processes that share a store: a file that its holder touches. A holder that died stops touching it, so
 * its lock is taken over after `STALE_MS`. In a rare race two processes can take over at once; both then prepare the same
 * package and the second finds the first one's tree, so nothing breaks.
 */
const STALE_MS = 30_000;
const TOUCH_MS = 5_000;
const POLL_MS = 50;

export interface HeldLock {
  release(): Promise<void>;
}

/** Waits for the lock. `done` ends the wait early with its value: the other process may have finished the work. */
export async function acquireLock<T>(
  path: string,
  signal: AbortSignal,
  done: () => Promise<T | null>,
): Promise<{ lock: HeldLock } | { value: T }> {
  await mkdir(dirname(path), { recursive: true });
  while (true) {
    signal.throwIfAborted();
    const lock = await tryLock(path);
    if (lock !== null) return { lock };
    const value = await done();
    if (value !== null) return { value };
    await takeAwayStale(path);
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

async function tryLock(path: string): Promise<HeldLock | null> {
  const token = newId();
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null;
    throw error;
  });
  if (file === null) return null;
  try {
    await file.writeFile(token);
  } finally {
    await file.close();
  }
  const timer = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, TOUCH_MS);
  timer.unref();
  return {
    release: async () => {
      clearInterval(timer);
      // Another process that took it over keeps it.
      if ((await readFile(path, 'utf8').catch(() => '')) === token) await rm(path, { force: true });
    },
  };
}

async function takeAwayStale(path: string): Promise<void> {
  if (!(await isStale(path))) return;
  const away = `${path}.${newId()}`;
  await rename(path, away).catch(() => {});
  await rm(away, { force: true });
}

/** Whether the file was not touched for longer than a running holder would take. False if it does not exist. */
export async function isStale(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats !== null && stats.mtimeMs < Date.now() - STALE_MS;
}
