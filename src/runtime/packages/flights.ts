/** Work that several callers of this process want at once, done once. It ends when its last caller has left. */
interface Flights<T, S> {
  /** Every caller receives the steps from the point where it joined. */
  join(key: string, caller: Caller<S>, work: (signal: AbortSignal, tell: (step: S) => void) => Promise<T>): Promise<T>;
  /** Aborts running work and waits for it to end. */
  close(): Promise<void>;
}

interface Caller<S> {
  signal?: AbortSignal | undefined;
  on_step?: ((step: S) => void) | undefined;
}

interface Flight<T, S> {
  result: Promise<T>;
  controller: AbortController;
  callers: Set<Pick<Caller<S>, 'on_step'>>;
}

export function openFlights<T, S>(): Flights<T, S> {
  /** Those that a caller can join. */
  const flights = new Map<string, Flight<T, S>>();
  const underWay = new Set<Flight<T, S>>();
  const start = (key: string, work: Parameters<Flights<T, S>['join']>[2]): Flight<T, S> => {
    const controller = new AbortController();
    const callers: Flight<T, S>['callers'] = new Set();
    const tell = (step: S) => {
      for (const { on_step } of callers) on_step?.(step);
    };
    const result = work(controller.signal, tell).finally(() => {
      underWay.delete(flight);
      if (flights.get(key) === flight) flights.delete(key);
    });
    // Every caller may have left before it fails.
    result.catch(() => {});
    const flight = { result, controller, callers };
    flights.set(key, flight);
    underWay.add(flight);
    return flight;
  };
  return {
    join: async (key, { signal, on_step }, work) => {
      signal?.throwIfAborted();
      const flight = flights.get(key) ?? start(key, work);
      const caller = { on_step };
      flight.callers.add(caller);
      const left = Promise.withResolvers<never>();
      const leave = () => left.reject(signal?.reason);
      signal?.addEventListener('abort', leave, { once: true });
      try {
        return await Promise.race([flight.result, left.promise]);
      } finally {
        signal?.removeEventListener('abort', leave);
        flight.callers.delete(caller);
        if (flight.callers.size === 0 && signal?.aborted === true) {
          flight.controller.abort(signal.reason);
          // A later caller starts afresh, not with the aborted work.
          if (flights.get(key) === flight) flights.delete(key);
        }
      }
    },
    close: async () => {
      const last = [...underWay];
      for (const { controller } of last) controller.abort(new DOMException('The service is closing.', 'AbortError'));
      await Promise.allSettled(last.map(({ result }) => result));
    },
  };
}
