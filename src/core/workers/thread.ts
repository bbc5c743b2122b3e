import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FromThread, ThreadData, ToThread } from './messages.ts';

/** One thread of the pool, watched by its processor time. */
export interface Thread {
  /** The thread can be reused only if `end` is `done` or `thrown`. */
  run(module: string, request: unknown, watch: Watch): Promise<ThreadRun>;
  /** Imports a module in advance. */
  warm(module: string): void;
  /** True while it starts or imports. */
  readonly is_warming: boolean;
  /** True if it runs at the lowest priority, which cannot be undone. */
  readonly is_slow: boolean;
  end(): void;
  /** Whether it keeps the process alive. */
  hold(isHeld: boolean): void;
}

interface Watch {
  /** After this much processor time, `mayGoOn` is called once. */
  slice_ms: number;
  mayGoOn(usedMs: number): boolean;
  /** In processor time. */
  deadline_ms: number;
  signal?: AbortSignal | undefined;
}

export type ThreadRun =
  | { end: 'done'; answer: unknown; cpu_ms: number }
  | { end: 'thrown'; error: Error }
  | { end: 'sliced'; cpu_ms: number }
  | { end: 'timeout' | 'out_of_memory' | 'crashed' | 'aborted' | 'not_started'; cpu_ms: number };

const HEAP_MB = 64;
const BOOT_TIMEOUT_MS = 20_000;
/** On a machine so busy that the thread gets no processor time, a request ends after this long. */
const CLOCK_TIMEOUT_MS = 15_000;
const LOOK_MS = 25;
const LOWEST_PRIORITY = 15;

const ENTRY = new URL('./worker.ts', import.meta.url);

/** `is_slow` runs every request at the lowest priority. */
export function startThread({ is_slow: starts_slow = false } = {}): Thread {
  const worker = new Worker(ENTRY, {
    env: {},
    workerData: { priority: starts_slow ? LOWEST_PRIORITY : null } satisfies ThreadData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 8, stackSizeMb: 2 },
  });
  // Errors of a thread that was terminated do not matter.
  worker.on('error', () => {});
  worker.unref();
  const send = (message: ToThread): void => worker.postMessage(message);
  let isSlow = starts_slow;
  let warming = 0;
  worker.on('message', (message: FromThread) => {
    if ('warm' in message) warming--;
  });
  const slowDown = (threadId: number | null): void => {
    isSlow = true;
    try {
      if (threadId !== null) setPriority(threadId, LOWEST_PRIORITY);
    } catch {
      // Without permission, the thread runs at normal priority.
    }
  };
  return {
    run: (module, request, watch) => runWatched(worker, () => send({ module, request }), watch, slowDown),
    warm: (module) => {
      warming++;
      send({ module });
    },
    get is_warming() {
      return warming > 0;
    },
    get is_slow() {
      return isSlow;
    },
    end: () => void worker.terminate(),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
  };
}

function runWatched(
  worker: Worker,
  start: () => void,
  { slice_ms, mayGoOn, deadline_ms, signal }: Watch,
  slowDown: (threadId: number | null) => void,
): Promise<ThreadRun> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    let usedMs = 0;
    const finish = (run: ThreadRun): void => {
      if (ended.signal.aborted) return;
      ended.abort();
      clearTimeout(boot);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal?.removeEventListener('abort', onAbort);
      resolve(run);
    };
    const stop = (end: Exclude<ThreadRun['end'], 'done' | 'thrown'>): void => finish({ end, cpu_ms: usedMs });
    /** A request that exceeds its slice continues only at the lowest priority. */
    const watchTime = async (baseMs: number, threadId: number | null): Promise<void> => {
      const untilMs = performance.now() + CLOCK_TIMEOUT_MS;
      let asks = true;
      await sleep(slice_ms);
      while (!ended.signal.aborted) {
        usedMs = Math.max(usedMs, (await readCpu(worker)) - baseMs);
        if (usedMs >= deadline_ms || performance.now() >= untilMs) return stop('timeout');
        if (asks && usedMs >= slice_ms && !ended.signal.aborted) {
          asks = false;
          if (!mayGoOn(usedMs)) return stop('sliced');
          slowDown(threadId);
        }
        await sleep(LOOK_MS);
      }
    };
    const onMessage = (message: FromThread): void => {
      if ('warm' in message) return;
      if ('begun' in message) {
        clearTimeout(boot);
        void watchTime(message.cpu_ms, message.thread_id);
      } else if ('thrown' in message) {
        finish({ end: 'thrown', error: Object.assign(new Error(message.thrown.message), message.thrown) });
      } else finish({ end: 'done', answer: message.answer, cpu_ms: message.cpu_ms });
    };
    const onError = (error: Error & { code?: string }): void =>
      stop(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'crashed');
    const onExit = (): void => stop('crashed');
    const onAbort = (): void => stop('aborted');
    // The startup time of a thread does not count against the request.
    const boot = setTimeout(() => stop('not_started'), BOOT_TIMEOUT_MS);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal?.addEventListener('abort', onAbort, { once: true });
    start();
  });
}

/** In ms; 0 while the thread is blocked in native code. */
const readCpu = (worker: Worker): Promise<number> =>
  Promise.race([
    worker.cpuUsage().then(
      ({ user, system }) => (user + system) / 1_000,
      () => 0,
    ),
    sleep(4 * LOOK_MS, 0),
  ]);
