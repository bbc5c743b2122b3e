/**
 * What ends a piece of work: its time, its caller, or itself; one signal for all, and nothing is left once it is released.
 * `AbortSignal.any` and `.timeout` leave weak references, which the collector keeps alive, with all that hangs on them,
 * until it looks at everything: hundreds of calls a second then wait for it.
 */
export interface End {
  signal: AbortSignal;
  /** Whether its time had passed first. */
  isLate(): boolean;
  /** Ends it now. */
  now(reason: unknown): void;
  /** Stops the clock and lets go of what was listened to. */
  release(): void;
}

export interface EndOptions {
  /** `Infinity` where only others end it. */
  timeout_ms?: number;
  /** Each of them ends it too, with its reason. */
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
