import { Worker } from 'node:worker_threads';
import type { NearestHits, NearestRequest } from '../query/nearest-rows.ts';
import type { FromScanner, ToScanner } from './scan-thread.ts';

/** Scans in a separate thread, which starts with the first scan. Vectors are in shared memory, so nothing is copied. */
export interface Scanner {
  /** Of each kind of rows. Null if too many wait, or if the thread ended. */
  nearest(request: NearestRequest): Promise<NearestHits[] | null>;
  close(): Promise<void>;
}

const MOST_WAITING = 8;

export function openScanner(): Scanner {
  const waiting = new Map<number, (nearest: NearestHits[] | null) => void>();
  let thread: Worker | null = null;
  let last = 0;
  const start = (): Worker => {
    const started = new Worker(new URL('./scan-thread.ts', import.meta.url), { env: {} });
    // It keeps no process alive.
    started.unref();
    started.on('message', ({ id, nearest }: FromScanner) => {
      waiting.get(id)?.(nearest);
      waiting.delete(id);
    });
    // The next scan starts another thread.
    started.on('error', () => {});
    started.on('exit', () => {
      if (thread === started) thread = null;
      for (const resolve of waiting.values()) resolve(null);
      waiting.clear();
    });
    return started;
  };
  return {
    nearest(request) {
      if (waiting.size >= MOST_WAITING) return Promise.resolve(null);
      thread ??= start();
      const id = ++last;
      const { promise, resolve } = Promise.withResolvers<NearestHits[] | null>();
      waiting.set(id, resolve);
      thread.postMessage({ id, request } satisfies ToScanner);
      return promise;
    },
    close: async () => {
      await thread?.terminate();
    },
  };
}
