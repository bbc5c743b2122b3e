/**
 * Combines what can end a piece of work (its timeout, its caller or itself) into one signal, and leaves nothing behind
 * once released. `AbortSignal.any` and `.timeout` leave weak references that the garbage collector keeps alive, with
 * everything they refer to, until a full collection; with hundreds of calls per second, those become long.
 */
export interface End {
  signal: AbortSignal;
  /** True if the timeout came first. */
  isLate(): boolean;
  /** Stops the timeout until the returned function is called, which continues with the time that was left. */
  pause(): () => void;
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
  const isTimed = Number.isFinite(timeout_ms);
  let timer = isTimed ? setTimeout(expire, timeout_ms).unref() : undefined;
  let leftMs = timeout_ms;
  let fromMs = isTimed ? performance.now() : 0;
  let pauses = 0;
  let isReleased = false;
  const goOn = () => {
    pauses -= 1;
    if (!isTimed || pauses > 0 || isReleased) return;
    fromMs = performance.now();
    timer = setTimeout(expire, leftMs).unref();
  };
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
    pause: () => {
      pauses += 1;
      if (isTimed && pauses === 1) {
        clearTimeout(timer);
        leftMs = Math.max(0, leftMs - (performance.now() - fromMs));
      }
      return goOn;
    },
    now: (reason) => controller.abort(reason),
    release: () => {
      isReleased = true;
      clearTimeout(timer);
      for (const [other, abort] of heard) other.removeEventListener('abort', abort);
    },
  };
}
