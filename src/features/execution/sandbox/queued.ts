import { Problem } from '../../../platform/problem.ts';
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
 * The same sandbox, never with more runs at once than the machine is meant to carry. Throws `execution.sandbox_busy`
 * where no more may wait. A run's time limit begins when it leaves the queue; cancelled in the queue, it never starts.
 */
export function queued(sandbox: Sandbox, { concurrency, waiting }: QueueLimits): Sandbox {
  let running = 0;
  const queue = new Set<(may_run: boolean) => void>();
  /** Resolves with whether it may run; its place is taken by then. */
  const turn = (signal: AbortSignal | undefined): Promise<boolean> | boolean => {
    if (signal?.aborted) return false;
    if (running < concurrency) {
      running += 1;
      return true;
    }
    if (queue.size >= waiting) throw busy(queue.size);
    return new Promise((resolve) => {
      const answer = (may_run: boolean) => {
        queue.delete(answer);
        signal?.removeEventListener('abort', cancel);
        if (may_run) running += 1;
        resolve(may_run);
      };
      const cancel = () => answer(false);
      signal?.addEventListener('abort', cancel);
      queue.add(answer);
    });
  };
  const leave = () => {
    running -= 1;
    const [next] = queue;
    next?.(true);
  };
  return {
    isolation: sandbox.isolation,
    selfTest: () => sandbox.selfTest(),
    counts: () => ({ running: sandbox.counts().running, queued: queue.size }),
    run: async (request) => {
      if (!(await turn(request.signal))) return { ...NEVER_STARTED, isolation: sandbox.isolation, engine: '' };
      try {
        return await sandbox.run(request);
      } finally {
        leave();
      }
    },
    close: async () => {
      for (const answer of queue) answer(false);
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
