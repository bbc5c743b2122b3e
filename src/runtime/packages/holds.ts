import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '#core/ids.ts';
import { acquireLock, isStale } from './prepare-lock.ts';

/** Marks of use: a file for each use of a tree, or of a folder under preparation, touched while its process lives. */
export interface Holds {
  /** Returns a function that ends the use. */
  hold(name: string): Promise<() => Promise<void>>;
  isHeld(name: string): Promise<boolean>;
  close(): Promise<void>;
}

export function openHolds(dir: string): Holds {
  const open = new Set<() => Promise<void>>();
  return {
    hold: async (name) => {
      await mkdir(dir, { recursive: true });
      const held = await acquireLock(join(dir, `${name}.${newId()}`), new AbortController().signal, async () => null);
      const release = async () => {
        open.delete(release);
        if ('lock' in held) await held.lock.release();
      };
      open.add(release);
      return release;
    },
    isHeld: async (name) => {
      let held = false;
      for (const file of await readdir(dir).catch(() => [])) {
        const path = join(dir, file);
        if (await isStale(path)) await rm(path, { force: true });
        else if (file.startsWith(`${name}.`) && (await stat(path).catch(() => null)) !== null) held = true;
      }
      return held;
    },
    close: async () => {
      await Promise.all([...open].map((release) => release()));
    },
  };
}
