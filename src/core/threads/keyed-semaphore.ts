import type { Threads } from './threads.ts';

/** Limits concurrent work per key, such as a user, over all threads of a process, without queueing. */
interface KeyedSemaphore {
  /** Returns whether there was room. If so, call `giveBack` at the end. */
  take(key: string): Promise<boolean>;
  giveBack(key: string): void;
}

export function openKeyedSemaphore(threads: Threads, name: string, most: number): KeyedSemaphore {
  const counts = new Map<string, number>();
  const take = threads.inFirst(`${name}.take`, async (key: string): Promise<boolean> => {
    const before = counts.get(key) ?? 0;
    if (before >= most) return false;
    counts.set(key, before + 1);
    return true;
  });
  const giveBack = threads.inFirst(`${name}.giveBack`, async (key: string): Promise<void> => {
    const left = (counts.get(key) ?? 1) - 1;
    if (left === 0) counts.delete(key);
    else counts.set(key, left);
  });
  // A thread that ends with its process has nothing to release.
  return { take, giveBack: (key) => void giveBack(key).catch(() => {}) };
}
