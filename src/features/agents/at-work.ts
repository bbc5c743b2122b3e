import { setTimeout as sleep } from 'node:timers/promises';
import { interrupted } from './refusals.ts';

/** The turns that this process works on, so that its stop ends each of them and none is left as if at work. */
export interface AtWork {
  readonly count: number;
  /** Aborts where the process stops before the turn has ended. */
  readonly signal: AbortSignal;
  during<T>(turn: () => Promise<T>): Promise<T>;
  /** Lets turns end by themselves for so long, then ends them as `agents.interrupted`, and waits until that is kept. */
  close(grace_ms: number): Promise<void>;
}

const MOST_MS = 5_000;

export function atWork(): AtWork {
  const running = new Set<Promise<unknown>>();
  const stopped = new AbortController();
  const over = (ms: number, signal: AbortSignal): Promise<unknown> =>
    Promise.race([Promise.all(running), sleep(ms, null, { signal }).catch(() => {})]);
  return {
    get count() {
      return running.size;
    },
    signal: stopped.signal,
    during: async (turn) => {
      const run = turn();
      // However it ends: what comes of it is its caller's.
      const settled = run.then(
        () => {},
        () => {},
      );
      running.add(settled);
      try {
        return await run;
      } finally {
        running.delete(settled);
      }
    },
    close: async (grace_ms) => {
      const done = new AbortController();
      await over(grace_ms, done.signal);
      stopped.abort(interrupted());
      await over(MOST_MS, done.signal);
      done.abort();
    },
  };
}
