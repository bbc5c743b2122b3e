import type { Log } from '#core/log.ts';

/**
 * Detects threads that hang: each thread increments a counter in shared memory as its event loop turns, and others
 * watch it.
 */

const HEARTBEAT_MS = 1_000;
/** Logged from here on. Garbage collection can block a thread for seconds. */
const QUIET_MS = 5_000;
/** The thread will not recover, or nobody waits for it any more. */
const HUNG_MS = 30_000;

/** One counter per thread. */
export const newHeartbeats = (count: number): Int32Array => new Int32Array(new SharedArrayBuffer(4 * count));

/**
 * Increments the counter of the calling thread until the returned function is called. Does not keep the process alive.
 */
export function startHeartbeat(heartbeats: Int32Array, number: number, every_ms = HEARTBEAT_MS): () => void {
  const timer = setInterval(() => Atomics.add(heartbeats, number - 1, 1), every_ms).unref();
  return () => clearInterval(timer);
}

interface Watched {
  heartbeats: Int32Array;
  number: number;
  onQuiet(silentMs: number): void;
  onBack(): void;
  /** Called once. */
  onHung(silentMs: number): void;
  every_ms?: number;
  quiet_ms?: number;
  hung_ms?: number;
  /** In milliseconds, from any moment on. */
  now?: () => number;
}

/**
 * Watches another thread until the returned function is called. Time during which the watching thread was blocked
 * itself (suspended machine, stopped process, no free core) counts as one turn, however long it was.
 */
export function watchHeartbeat({ heartbeats, number, onQuiet, onBack, onHung, ...times }: Watched): () => void {
  const { every_ms = HEARTBEAT_MS, quiet_ms = QUIET_MS, hung_ms = HUNG_MS, now = () => performance.now() } = times;
  let seen = Atomics.load(heartbeats, number - 1);
  let lookedAtMs = now();
  let silentMs = 0;
  let isQuiet = false;
  const look = (): void => {
    const nowMs = now();
    const passedMs = Math.min(nowMs - lookedAtMs, 2 * every_ms);
    lookedAtMs = nowMs;
    const counted = Atomics.load(heartbeats, number - 1);
    if (counted !== seen) {
      if (isQuiet) onBack();
      [seen, silentMs, isQuiet] = [counted, 0, false];
      return;
    }
    silentMs += passedMs;
    if (silentMs >= hung_ms) {
      clearInterval(timer);
      onHung(Math.round(silentMs));
    } else if (silentMs >= quiet_ms && !isQuiet) {
      isQuiet = true;
      onQuiet(Math.round(silentMs));
    }
  };
  const timer = setInterval(look, every_ms).unref();
  return () => clearInterval(timer);
}

/** Log messages about a thread whose event loop is blocked. */
export const logHangs = (log: Log, number: number) => ({
  onQuiet: (silent_ms: number) => log.warn({ thread: number, silent_ms }, 'a serving thread is unresponsive'),
  onBack: () => log.warn({ thread: number }, 'the serving thread has recovered'),
});
