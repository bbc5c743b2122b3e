import { setTimeout as sleep } from 'node:timers/promises';
import { openFairPlaces } from '#core/fair-queue/fair-places.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import { busy, interrupted } from './refusals.ts';

/** The running turns of this thread, so that a shutdown ends each of them and none seems to run on. */
export interface AtWork {
  /** Aborts when the process stops before the turn has ended. */
  readonly signal: AbortSignal;
  /** Throws `agents.unavailable` (`busy`) if the process, or this share, runs its maximum. */
  during<T>(share: Share, turn: () => Promise<T>): Promise<T>;
  /** Lets turns finish for the grace period, then ends them as `agents.unavailable` (`interrupted`) and waits until that is stored. */
  close(graceMs: number): Promise<void>;
}

const MOST_MS = 5_000;
/** A turn mostly waits for a model, so one share gets an eighth of the slots, but at least this many. */
const LEAST_PER_SHARE = 4;

interface AtWorkOptions {
  /** In all threads of the process. */
  at_once?: number;
  threads?: Threads;
}

export function atWork({ at_once = Number.POSITIVE_INFINITY, threads = ALONE }: AtWorkOptions = {}): AtWork {
  const places = openFairPlaces(threads, 'agents', {
    places: at_once,
    waiting: 0,
    waiting_per_share: 0,
    held_per_share: Math.min(at_once, Math.max(LEAST_PER_SHARE, Math.ceil(at_once / 8))),
  });
  const running = new Set<Promise<unknown>>();
  const stopped = new AbortController();
  const over = (ms: number, signal: AbortSignal): Promise<unknown> =>
    Promise.race([Promise.all(running), sleep(ms, null, { signal }).catch(() => {})]);
  return {
    signal: stopped.signal,
    during: async (share, turn) => {
      if ((await places.take(share)) !== 'taken') throw busy();
      const run = turn();
      // The caller handles the result.
      const settled = run.then(
        () => {},
        () => {},
      );
      running.add(settled);
      try {
        return await run;
      } finally {
        running.delete(settled);
        places.giveBack(share);
      }
    },
    close: async (graceMs) => {
      const done = new AbortController();
      await over(graceMs, done.signal);
      stopped.abort(interrupted());
      await over(MOST_MS, done.signal);
      done.abort();
    },
  };
}
