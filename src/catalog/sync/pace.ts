import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#core/clock/clock.ts';

/** Rate limit for one provider: maximum concurrency, minimum interval between requests, and waits it asked for. */
export interface Pace {
  run<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T>;
  /** No request starts before this time. */
  holdUntil(atMs: number): void;
}

export function createPace(limits: { concurrency: number; interval_ms: number }, clock: Clock): Pace {
  let running = 0;
  let nextStartMs = 0;
  const waiting: (() => void)[] = [];

  const enter = async () => {
    if (running < limits.concurrency) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  /** Passes the slot to the next waiter directly, so that no other request takes it. */
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  const turn = async (signal: AbortSignal) => {
    for (;;) {
      signal.throwIfAborted();
      const waitMs = nextStartMs - clock.now();
      if (waitMs <= 0) break;
      await sleep(waitMs, undefined, { signal });
    }
    nextStartMs = clock.now() + limits.interval_ms;
  };

  return {
    run: async (signal, request) => {
      await enter();
      try {
        await turn(signal);
        return await request();
      } finally {
        leave();
      }
    },
    holdUntil: (atMs) => {
      nextStartMs = Math.max(nextStartMs, atMs);
    },
  };
}
