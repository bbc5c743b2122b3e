/**
 * Combines what can end a piece of work (its timeout, its caller or itself) into one signal, and leaves nothing behind
 * once released. `AbortSignal.any` and `.timeout` leave weak references that the garbage collector keeps alive, with
 * everything they refer to, until a full collection; with hundreds of calls per second, those become long.
 */
export interface End {
  signal: AbortSignal;
  /** True if the timeout came first. */
  isLate(): boolean;
  /** Ends the work now. */
  now(reason: unknown): void;
  /** Clears the timer and removes the listeners. */
  release(): void;
}

interface EndOptions {
  /** `Infinity` if there is no timeout. */
  timeout_ms?: number;
  /** Signals that also end it, with their reason. */
  with: readonly (AbortSignal | null | undefined)[];
}

export function endOf({ timeout_ms = Number.POSITIVE_INFINITY, with: others }: EndOptions): End {
  const controller = new AbortController();
  let late = false;
  const expire = () => {
    late = !controller.signal.aborted;
    controller.abort(new DOMException('timed out', 'TimeoutError'));
  };
  const timer = Number.isFinite(timeout_ms) ? setTimeout(expire, timeout_ms).unref() : undefined;
  const heard: [AbortSignal, () => void][] = [];
  for (const other of others) {
    if (other === null || other === undefined) continue;
    const abort = () => controller.abort(other.reason);
    if (other.aborted) abort();
    other.addEventListener('abort', abort, { once: true });
    heard.push([other, abort]);
  }
  return {
    signal: controller.signal,
    isLate: () => late,
    now: (reason) => controller.abort(reason),
    release: () => {
      clearTimeout(timer);
      for (const [other, abort] of heard) other.removeEventListener('abort', abort);
    },
  };
}
