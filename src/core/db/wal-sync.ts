import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * Ends statements that answer before they are on the disk. What they wrote survives the end of the process at once, and a power failure
 * from the next `sync` on, or from the next commit of another statement.
 */
export const SYNC_LATER = '/* sync later */';

interface WalSync {
  /** Resolves when all that was written before survives a power failure. */
  sync(): Promise<void>;
  close(): void;
}

const datasync = promisify(fdatasync);

/**
 * Puts SQLite's write-ahead log on the disk as SQLite does at a commit, but beside its thread, and once for all that wait. The log
 * stays the same file for as long as the database is open, and SQLite holds no lock on it that closing it would release.
 */
export function openWalSync(path: string): WalSync {
  let file: number | null = null;
  let running: Promise<void> = Promise.resolve();
  /** The one that has not begun yet, so that what was just written is part of it. */
  let next: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    next = null;
    file ??= openedLog(path);
    if (file !== null) await datasync(file);
  };
  return {
    sync: () => {
      if (next !== null) return next;
      next = running.then(run);
      running = next.catch(() => {});
      return next;
    },
    close: () => {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

/** Null if there is no log: then everything is in the database. */
function openedLog(path: string): number | null {
  try {
    return openSync(`${path}-wal`, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
