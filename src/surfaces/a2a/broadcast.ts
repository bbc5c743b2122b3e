/** Publishes values to any number of listeners, in order, from when each starts to listen. */
export interface Broadcast<T> {
  publish(value: T): void;
  end(): void;
  /** Yields values from now on, until the end or the signal. */
  listen(signal: AbortSignal): AsyncIterable<T>;
}

export function broadcast<T>(): Broadcast<T> {
  const listeners = new Set<Listener<T>>();
  let ended = false;
  return {
    publish: (value) => {
      for (const { heard, wake } of listeners) {
        heard.push(value);
        wake();
      }
    },
    end: () => {
      ended = true;
      for (const { wake } of listeners) wake();
    },
    listen: (signal) => {
      const listener: Listener<T> = { heard: [], wake: () => {} };
      listeners.add(listener);
      return drain(
        listener,
        signal,
        () => ended,
        () => listeners.delete(listener),
      );
    },
  };
}

interface Listener<T> {
  heard: T[];
  wake(): void;
}

async function* drain<T>(listener: Listener<T>, signal: AbortSignal, isOver: () => boolean, leave: () => void) {
  const wake = () => listener.wake();
  signal.addEventListener('abort', wake, { once: true });
  try {
    while (!signal.aborted) {
      const next = listener.heard.shift();
      if (next !== undefined) yield next;
      else if (isOver()) return;
      else
        await new Promise<void>((resolve) => {
          listener.wake = resolve;
        });
    }
  } finally {
    leave();
    signal.removeEventListener('abort', wake);
  }
}
