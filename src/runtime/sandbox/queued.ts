import { endOf } from '#core/end.ts';
import { openFairPlaces } from '#core/fair-queue/fair-places.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { Problem } from '#core/problem/problem.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { NEVER_STARTED } from './embedded.ts';
import type { Sandbox } from './sandbox.ts';

interface QueueLimits {
  /** Runs at once; one share holds at most half of them. */
  concurrency: number;
  /** Runs that wait in all; of one share at most a quarter. */
  waiting: number;
}

/** How soon a caller who was turned away should ask again. */
const RETRY_AFTER_S = 5;

/**
 * The same sandbox with a limit of concurrent runs in this process. Places go to users in turn.
 * A run may take as long as its time limit and cannot be interrupted for another user's, so one share holds at most
 * half of the places, and new accounts and anonymous callers together leave one to the others. Throws
 * `runs.unavailable` (`sandbox_busy`) if the queue is full. A run's time limit begins when it leaves the queue; cancelled in the
 * queue, it never starts.
 */
export function queued(sandbox: Sandbox, { concurrency, waiting }: QueueLimits, threads: Threads = ALONE): Sandbox {
  const places = openFairPlaces(threads, 'sandbox', {
    places: concurrency,
    waiting,
    waiting_per_share: Math.ceil(waiting / 4),
    held_per_share: Math.ceil(concurrency / 2),
  });
  const closing = new AbortController();
  const take = async (share: Share, signal: AbortSignal | undefined) => {
    const end = endOf({ with: [closing.signal, signal] });
    return places.take(share, end.signal).finally(end.release);
  };
  return {
    isolation: sandbox.isolation,
    selfTest: () => sandbox.selfTest(),
    counts: () => ({ running: sandbox.counts().running, queued: places.waiting() }),
    run: async (request) => {
      const how = await take(request.share, request.signal);
      if (how === 'busy') throw busy();
      if (how === 'left') return { ...NEVER_STARTED, isolation: sandbox.isolation, engine: '' };
      try {
        return await sandbox.run(request);
      } finally {
        places.giveBack(request.share);
      }
    },
    close: async () => {
      closing.abort();
      await sandbox.close();
    },
  };
}

const busy = (): Problem =>
  runtimeProblem('runs.unavailable', `The sandbox queue is full. Retry in ${RETRY_AFTER_S} s.`, {
    reason: 'sandbox_busy',
    headers: { 'retry-after': `${RETRY_AFTER_S}` },
  });
