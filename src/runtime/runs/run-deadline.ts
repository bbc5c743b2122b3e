import { endOf } from '#core/end.ts';
import type { RunOrder } from './capability.ts';

/** The time limit of a run, which waits while a person answers a question of a server. */
interface RunDeadline {
  /** Aborted when the time is up. */
  signal: AbortSignal;
  /** By `performance.now()`. Later after each question. */
  ends_at_ms(): number;
  waitingFor(ask: RunOrder['ask']): RunOrder['ask'];
  release(): void;
}

export function runDeadline(timeout_ms: number): RunDeadline {
  const end = endOf({ timeout_ms, with: [] });
  let endsAtMs = performance.now() + timeout_ms;
  return {
    signal: end.signal,
    ends_at_ms: () => endsAtMs,
    waitingFor: (ask) => {
      if (typeof ask !== 'function') return ask;
      return async (question, ended) => {
        const fromMs = performance.now();
        const goOn = end.pause();
        try {
          return await ask(question, ended);
        } finally {
          endsAtMs += performance.now() - fromMs;
          goOn();
        }
      };
    },
    release: end.release,
  };
}
