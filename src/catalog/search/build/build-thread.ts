import { Worker } from 'node:worker_threads';
import type { ChangeFeed, ChangeNumbers } from '#core/changes/change-feed.ts';
import type { Log } from '#core/log.ts';
import type { Threads } from '#core/threads/threads.ts';
import type { FollowOptions, FromWorker, ToWorker } from './build-loop.ts';

/** The serving threads' side of a thread that builds an index: one for the whole process. */

const RESTART_MS = 1_000;
const CLOSE_MS = 3_000;

export interface BuildingThread {
  /** Starts it, where it has not been started. */
  begin(): void;
  /** Resolves when everything that was committed before the call is in the state that was given last. */
  refresh(): Promise<void>;
  progress(): Readonly<Progress>;
  close(): Promise<void>;
}

/** How the thread gets on. */
export interface Progress {
  /** The number of the newest change in the state that was given last; what that took to build, and when it came. */
  change: number;
  build_ms: number;
  /** By `performance.now()`. */
  given_at_ms: number;
  /** Since the start: rounds that came to nothing, and threads that ended. */
  failures: number;
}

export interface ThreadOptions<State> {
  /** A file that calls `followForever`. */
  entry: URL;
  /** `FollowOptions`, and what else the entry wants. */
  data: FollowOptions;
  changes: ChangeFeed;
  /** What the index is made of: names of change numbers. */
  follows: readonly string[];
  /** What is built, for the log. */
  name: string;
  log: Log;
  onState(state: State): void;
}

export interface SharedBuilding extends Pick<BuildingThread, 'refresh' | 'close'> {
  /** Has it built from now on; a refresh does, too. Until then it costs no thread. */
  begin(): void;
  /** Null in all threads but the first. */
  progress(): Readonly<Progress> | null;
  /** To be called before each look at the state: another thread may have been told of a newer one already. */
  catchUp(): void;
}

/** The first of the serving threads has it built; each gets every state, all of them in one step. */
export function sharedBuilding<State>(threads: Threads, options: ThreadOptions<State>): SharedBuilding {
  const { give, catchUp } = threads.share<State>(options.name, options.onState);
  const thread = threads.number === 1 ? buildingThread({ ...options, onState: give }) : ELSEWHERE;
  const beginInFirst = threads.inFirst(`${options.name}.begin`, async () => thread.begin());
  return {
    ...thread,
    catchUp,
    refresh: threads.inFirst(`${options.name}.refresh`, thread.refresh),
    // A process that is ending begins nothing.
    begin: () => void beginInFirst().catch(() => {}),
  };
}

const ELSEWHERE = { begin: () => {}, refresh: async () => {}, progress: () => null, close: async () => {} };

/** Starts the thread when it is told to, and again where it ends by itself; what was built stays in use meanwhile. */
function buildingThread<State>(options: ThreadOptions<State>): BuildingThread {
  const { entry, data, name, log, onState, changes, follows } = options;
  const waiting = new Map<number, PromiseWithResolvers<void> & { is_urgent: boolean }>();
  let lastId = 0;
  let closing = false;
  let restart: NodeJS.Timeout | undefined;
  const progress: Progress = { change: 0, build_ms: 0, given_at_ms: performance.now(), failures: 0 };
  const given = ({ state, change, build_ms }: Extract<FromWorker<State>, { kind: 'state' }>): void => {
    Object.assign(progress, { change, build_ms, given_at_ms: performance.now() });
    onState(state);
  };
  const failed = (reason: string): void => {
    progress.failures++;
    log.warn({ reason }, `${name} cannot follow the database`);
  };
  const start = (): Worker => {
    const worker = new Worker(entry, { workerData: data });
    worker.on('message', (message: FromWorker<State>) => {
      if (message.kind === 'state') given(message);
      else if (message.kind === 'failed') failed(message.message);
      else settle(message.id);
    });
    worker.on('error', (error) => log.error({ error }, `the thread of ${name} failed`));
    worker.on('exit', () => {
      if (closing) return;
      progress.failures++;
      restart = setTimeout(() => {
        thread = start();
        for (const [id, { is_urgent }] of waiting) ask({ kind: 'refresh', id, is_urgent });
      }, RESTART_MS);
    });
    return worker;
  };
  let thread: Worker | null = null;
  const ask = (message: ToWorker): void => thread?.postMessage(message);
  const settle = (id: number): void => {
    waiting.get(id)?.resolve();
    waiting.delete(id);
  };
  let unsubscribe = (): void => {};
  const begin = (): void => {
    if (closing || thread !== null) return;
    thread = start();
    let seen: ChangeNumbers = new Map();
    unsubscribe = changes.subscribe({
      name,
      isBehind: (newest) => follows.some((number) => newest.get(number) !== seen.get(number)),
      catchUp: async (newest) => {
        await refresh(false);
        seen = newest;
      },
    });
  };
  const refresh = (is_urgent: boolean): Promise<void> => {
    if (closing) return Promise.reject(new Error(`It is closed: ${name}.`));
    const promised = Promise.withResolvers<void>();
    waiting.set(++lastId, { ...promised, is_urgent });
    begin();
    ask({ kind: 'refresh', id: lastId, is_urgent });
    return promised.promise;
  };
  return {
    begin,
    progress: () => progress,
    refresh: () => refresh(true),
    async close(): Promise<void> {
      if (closing) return;
      closing = true;
      unsubscribe();
      clearTimeout(restart);
      if (thread !== null) await end(thread);
      for (const { reject } of waiting.values()) reject(new Error(`It was closed: ${name}.`));
    },
  };
}

async function end(thread: Worker): Promise<void> {
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  const late = setTimeout(() => thread.terminate(), CLOSE_MS);
  thread.postMessage({ kind: 'close' } satisfies ToWorker);
  if (thread.threadId !== -1) await ended;
  clearTimeout(late);
}
