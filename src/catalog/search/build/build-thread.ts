import { Worker } from 'node:worker_threads';
import type { ChangeFeed, ChangeNumbers } from '#core/changes/change-feed.ts';
import type { Log } from '#core/log.ts';
import type { Threads } from '#core/threads/threads.ts';
import type { BuildData, FromThread, ToThread } from './build-loop.ts';

/** The serving threads' side of an index: one thread of the process builds it, and each serving thread has a view of it. */

const RESTART_MS = 1_000;
const CLOSE_MS = 3_000;

export interface LiveView<View> {
  /** Starts the build thread. A refresh does too. Until then an index costs no thread. */
  begin(): void;
  /** The newest view; null before the first. */
  current(): View | null;
  /** Resolves when everything that was committed before the call is in the current view. */
  refresh(): Promise<void>;
  /** Null in all serving threads but the first. */
  progress(): Readonly<Progress> | null;
  close(): Promise<void>;
}

export interface Progress {
  /** The number of the newest change in the last state, the duration of its build, and when it arrived (`performance.now()`). */
  change: number;
  build_ms: number;
  received_at_ms: number;
  /** Failed builds and threads that ended, since the start. */
  failures: number;
}

interface LiveViewOptions<State, View> extends ThreadOptions {
  /** Makes a view for this thread. */
  viewOf(state: State, before: View | null): View;
  onView?(view: View): void;
}

interface ThreadOptions {
  /** A module that calls `followForever`. */
  entry: URL;
  /** What the module gets. */
  data: BuildData;
  changes: ChangeFeed;
  /** The change numbers that concern the index. */
  follows: readonly string[];
  /** For the log, such as `registry index`. */
  name: string;
  log: Log;
}

/** The first serving thread has the index built. Every serving thread receives each state, in one step. */
export function openLiveView<State, View>(
  threads: Threads,
  { viewOf, onView, ...options }: LiveViewOptions<State, View>,
): LiveView<View> {
  let view: View | null = null;
  const { give, catchUp } = threads.share<State>(options.name, (state) => {
    view = viewOf(state, view);
    onView?.(view);
  });
  const thread = threads.number === 1 ? buildThread<State>(options, give) : IN_FIRST_THREAD;
  const beginInFirst = threads.inFirst(`${options.name}.begin`, async () => thread.begin());
  return {
    ...thread,
    current() {
      catchUp();
      return view;
    },
    refresh: threads.inFirst(`${options.name}.refresh`, thread.refresh),
    // Fails only while the process ends.
    begin: () => void beginInFirst().catch(() => {}),
  };
}

const IN_FIRST_THREAD = { begin: () => {}, refresh: async () => {}, progress: () => null, close: async () => {} };

/** Starts the thread on demand, and again if it ends. The last state stays in use meanwhile. */
function buildThread<State>(options: ThreadOptions, onState: (state: State) => void): Omit<LiveView<never>, 'current'> {
  const { entry, data, name, log, changes, follows } = options;
  const waiting = new Map<number, PromiseWithResolvers<void> & { is_urgent: boolean }>();
  let lastId = 0;
  let closing = false;
  let restart: NodeJS.Timeout | undefined;
  const progress: Progress = { change: 0, build_ms: 0, received_at_ms: performance.now(), failures: 0 };
  const receive = ({ state, change, build_ms }: Extract<FromThread<State>, { kind: 'state' }>): void => {
    Object.assign(progress, { change, build_ms, received_at_ms: performance.now() });
    onState(state);
  };
  const noteFailure = (reason: string): void => {
    progress.failures++;
    log.warn({ reason }, `failed to update the ${name}; retrying`);
  };
  const start = (): Worker => {
    const worker = new Worker(entry, { workerData: data });
    worker.on('message', (message: FromThread<State>) => {
      if (message.kind === 'state') receive(message);
      else if (message.kind === 'failed') noteFailure(message.message);
      else settle(message.id);
    });
    worker.on('error', (error) => log.error({ error }, `the thread of the ${name} failed; restarting it`));
    worker.on('exit', () => {
      if (closing) return;
      progress.failures++;
      restart = setTimeout(() => {
        thread = start();
        for (const [id, { is_urgent }] of waiting) send({ kind: 'refresh', id, is_urgent });
      }, RESTART_MS);
    });
    return worker;
  };
  let thread: Worker | null = null;
  const send = (message: ToThread): void => thread?.postMessage(message);
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
    if (closing) return Promise.reject(new Error(`The ${name} is closed.`));
    const promised = Promise.withResolvers<void>();
    waiting.set(++lastId, { ...promised, is_urgent });
    begin();
    send({ kind: 'refresh', id: lastId, is_urgent });
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
      for (const { reject } of waiting.values()) reject(new Error(`The ${name} was closed.`));
    },
  };
}

async function end(thread: Worker): Promise<void> {
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  const timer = setTimeout(() => thread.terminate(), CLOSE_MS);
  thread.postMessage({ kind: 'close' } satisfies ToThread);
  if (thread.threadId !== -1) await ended;
  clearTimeout(timer);
}
