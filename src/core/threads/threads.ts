/** The threads of one process that answer requests, as one of them sees the others. */
export interface Threads {
  /** How many there are. */
  readonly count: number;
  /** This one's, from 1. The first is the process's main thread; it alone does the work that is due. */
  readonly number: number;
  /**
   * For what a process has once: it is carried out in the first thread, whoever asks. Arguments and answers are plain data,
   * but for a signal as the last argument. A Problem that is thrown there is thrown here.
   */
  inFirst<A extends unknown[], R>(name: string, act: (...args: A) => Promise<R>): (...args: A) => Promise<R>;
  /** For what each thread knows by itself: carried out here at once, and in all others. This thread's answer is the first. */
  inEach<A extends unknown[], R>(name: string, act: (...args: A) => Promise<R>): (...args: A) => Promise<R[]>;
  /** For what is made in the first thread and read in all: `take` is called with it in each. */
  share<S>(name: string, take: (state: S) => void): Share<S>;
}

export interface Share<S> {
  /** In the first thread: to all of them in one step. What is in shared memory is not copied. */
  give(state: S): void;
  /** Takes what was given by now, where this thread has not come to it yet. To be called before each look at the state. */
  catchUp(): void;
}

/** As it comes over from another thread. */
export type Act = (...args: unknown[]) => Promise<unknown>;

/** Of a process that answers in one thread. */
export const ALONE: Threads = {
  count: 1,
  number: 1,
  inFirst: (_, act) => act,
  inEach:
    (_, act) =>
    async (...args) => [await act(...args)],
  share: (_, take) => ({ give: take, catchUp: () => {} }),
};
