import { endOf } from '../../../platform/end.ts';
import { Problem } from '../../../platform/problem.ts';
import { openPlaces } from '../../../platform/threads/places.ts';
import { ALONE, type Threads } from '../../../platform/threads/threads.ts';
import { NEVER_STARTED } from './embedded.ts';
import type { Sandbox } from './sandbox.ts';

export interface QueueLimits {
  /** So many runs at once; the rest wait, first come, first served. */
  concurrency: number;
  /** So many may wait. */
  waiting: number;
}

/** How soon a caller who was turned away should ask again. */
const RETRY_AFTER_S = 5;

/**
 * The same sandbox, never with more runs at once in this process than the machine is meant to carry. Throws
 * `execution.sandbox_busy` where no more may wait. A run's time limit begins when it leaves the queue; cancelled in the
 * queue, it never starts.
 */
export function queued(sandbox: Sandbox, { concurrency, waiting }: QueueLimits, threads: Threads = ALONE): Sandbox {
  const places = openPlaces(threads, 'sandbox', { at_once: concurrency, waiting });
  const closing = new AbortController();
  const take = async (signal: AbortSignal | undefined) => {
    const end = endOf({ with: [closing.signal, signal] });
    return places.take(end.signal).finally(end.release);
  };
  return {
    isolation: sandbox.isolation,
    selfTest: () => sandbox.selfTest(),
    counts: () => ({ running: sandbox.counts().running, queued: places.waiting() }),
    run: async (request) => {
      const how = await take(request.signal);
      if (how === 'full') throw busy(waiting);
      if (how === 'left') return { ...NEVER_STARTED, isolation: sandbox.isolation, engine: '' };
      try {
        return await sandbox.run(request);
      } finally {
        places.giveBack();
      }
    },
    close: async () => {
      closing.abort();
      await sandbox.close();
    },
  };
}

const busy = (count: number): Problem =>
  new Problem(
    'unavailable',
    'execution.sandbox_busy',
    `${count} scripts wait to be run here already; ask again in ${RETRY_AFTER_S} s.`,
    { headers: { 'retry-after': `${RETRY_AFTER_S}` } },
  );
