/** The serving threads of a process, as one of them sees the others. */
export interface Threads {
  /** Number of threads. */
  readonly count: number;
  /** Number of this thread, from 1. The first is the main thread, and it alone runs jobs. */
  readonly number: number;
  /**
   * For what a process has once: the function runs in the first thread, whichever thread calls it. Arguments and results are
   * plain data, except for a signal as the last argument. A Problem thrown there is thrown here.
   */
  inFirst<A extends unknown[], R>(name: string, act: (...args: A) => Promise<R>): (...args: A) => Promise<R>;
  /**
   * For what each thread has itself: runs here immediately and in all other threads. The first result is this thread's.
   */
  inEach<A extends unknown[], R>(name: string, act: (...args: A) => Promise<R>): (...args: A) => Promise<R[]>;
  /** For what the first thread creates and all threads read: `take` is called with it in each. */
  share<S>(name: string, take: (state: S) => void): Share<S>;
}

interface Share<S> {
  /** In the first thread: sends the state to all threads in one step. Shared memory is not copied. */
  give(state: S): void;
  /** Takes everything given so far, even before the event loop has received it. Call it before reading the state. */
  catchUp(): void;
}

/** A function as called from another thread. */
export type Act = (...args: unknown[]) => Promise<unknown>;

/** For a process with a single serving thread. */
export const ALONE: Threads = {
  count: 1,
  number: 1,
  inFirst: (_, act) => act,
  inEach:
    (_, act) =>
    async (...args) => [await act(...args)],
  share: (_, take) => ({ give: take, catchUp: () => {} }),
};
