import { readFileSync } from 'node:fs';

/**
 * Notices that far more processes of this machine want a processor than shortly before, as when a box starts them without end. One
 * number of the kernel tells it for all boxes together, which is cheaper than looking at each of them as often.
 */

const EVERY_MS = 25;
/** So many more than usual. */
const SURGE = 24;
/** The weight of the latest number in what is usual: half a second ago counts a third. */
const LATEST = 0.05;

/** Reads how many processes and threads want a processor now; `12/345` in the file is 12 of 345. */
const readRunnable = (): number =>
  Number(/ (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? Number.NaN);

/** Whether each number in turn is a surge. Pure but for what was usual so far. */
export function surgeDetector(): (runnable: number) => boolean {
  let usual: number | null = null;
  return (runnable) => {
    const isSurge = usual !== null && runnable - usual >= SURGE;
    usual = usual === null ? runnable : usual + LATEST * (runnable - usual);
    return isSurge;
  };
}

const listeners = new Set<() => void>();
let timer: NodeJS.Timeout | undefined;

/** Calls `notify` while there is a surge. Returns what stops that. */
export function onSurge(notify: () => void): () => void {
  listeners.add(notify);
  timer ??= startTimer();
  return () => {
    listeners.delete(notify);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function startTimer(): NodeJS.Timeout {
  const detect = surgeDetector();
  return setInterval(() => {
    if (!detect(readRunnable())) return;
    for (const notify of listeners) notify();
  }, EVERY_MS).unref();
}
