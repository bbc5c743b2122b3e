import type { Threads } from '#core/threads/threads.ts';
import { createFairQueue, type FairQueueOptions, type Taken } from './fair-queue.ts';
import type { Share } from './share.ts';

/**
 * The places of one fair queue for a whole process, whichever of its serving threads takes them. The queue is in the first
 * thread, so that a share has one line in all of them together.
 */
export interface FairPlaces {
  /** `taken` until `giveBack` with the same share; `left` where `signal` was aborted first. */
  take(share: Share, signal?: AbortSignal): Promise<Taken>;
  giveBack(share: Share): void;
  /** How many wait, of all threads; to be asked in the first one. */
  waiting(): number;
}

export function openFairPlaces(threads: Threads, name: string, options: FairQueueOptions): FairPlaces {
  const queue = createFairQueue(options);
  const giveBack = threads.inFirst(`${name}.giveBack`, async (share: Share) => queue.giveBack(share));
  return {
    take: threads.inFirst(`${name}.take`, queue.take),
    // A thread that ends with its process has nothing to give back.
    giveBack: (share) => void giveBack(share).catch(() => {}),
    waiting: () => queue.counts().waiting,
  };
}
