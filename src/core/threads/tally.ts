import type { Threads } from './threads.ts';

/** So much at once of each key, such as a user, in a whole process, whichever threads it is in; nobody waits. */
export interface Tally {
  /** Whether there was room; then it is given back at the end. */
  take(key: string): Promise<boolean>;
  giveBack(key: string): void;
}

export function openTally(threads: Threads, name: string, most: number): Tally {
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
  // What ends with its process needs no word of it.
  return { take, giveBack: (key) => void giveBack(key).catch(() => {}) };
}
