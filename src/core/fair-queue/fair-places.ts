import type { Threads } from '#core/threads/threads.ts';
import { createFairQueue, type FairQueueOptions, type Taken } from './fair-queue.ts';
import type { Share } from './share.ts';

/**
 * The slots of one fair queue for the whole process, shared by its serving threads. The queue is in the first thread,
 * so that a share has one line across all threads.
 */
interface FairPlaces {
  /** Resolves to `taken` until `giveBack` is called with the same share, or to `left` if `signal` aborted first. */
  take(share: Share, signal?: AbortSignal): Promise<Taken>;
  giveBack(share: Share): void;
  /** Number of waiters of all threads. Call it in the first thread only. */
  waiting(): number;
}

export function openFairPlaces(threads: Threads, name: string, options: FairQueueOptions): FairPlaces {
  const queue = createFairQueue(options);
  const giveBack = threads.inFirst(`${name}.giveBack`, async (share: Share) => queue.giveBack(share));
  return {
    take: threads.inFirst(`${name}.take`, queue.take),
    // A thread that ends with its process has nothing to release.
    giveBack: (share) => void giveBack(share).catch(() => {}),
    waiting: () => queue.counts().waiting,
  };
}
