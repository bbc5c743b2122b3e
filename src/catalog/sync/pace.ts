import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#core/clock/clock.ts';

/** Rate limit for one provider: maximum concurrency, minimum interval between requests, and waits it asked for. */
export interface Pace {
  run<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T>;
  /** No request starts before this time. */
  holdUntil(at_ms: number): void;
}

export function createPace(limits: { concurrency: number; interval_ms: number }, clock: Clock): Pace {
  let running = 0;
  let next_start_ms = 0;
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
      const wait_ms = next_start_ms - clock.now();
      if (wait_ms <= 0) break;
      await sleep(wait_ms, undefined, { signal });
    }
    next_start_ms = clock.now() + limits.interval_ms;
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
    holdUntil: (at_ms) => {
      next_start_ms = Math.max(next_start_ms, at_ms);
    },
  };
}
