import { createFairQueue, type FairQueue } from '#core/fair-queue/fair-queue.ts';
import { type Identity, identityOf, type Share } from '#core/fair-queue/share.ts';
import type { WorkKind } from './kind.ts';
import { createSpending } from './spending.ts';
import { startThread, type Thread, type ThreadRun } from './thread.ts';

/**
 * Threads for work on untrusted text, schemas and files: slow patterns, recursion, anything built to take long. Each
 * has
 * little memory and no environment, each request has a deadline in processor time, and a thread that behaved is reused.
 *
 * There are two lanes, each a fair queue over shares. Every request begins in the fast lane with one slice of processor
 * time. If it needs more, it continues in the slow lane at the lowest priority, or starts again there when a slot is
 * free. Its share pays for that from a budget, and starts in the slow lane for the next minute. So a quick request
 * never
 * waits for a slow one, regardless of who sent it.
 */
export interface WorkerPool {
  /** Throws what `run` of the module throws, and the signal's reason when it aborts. */
  run<Request, Answer>(kind: WorkKind<Request, Answer>, request: Request, order: WorkOrder): Promise<Outcome<Answer>>;
  /** `sliced` counts requests that used up their slice in the fast lane since the start. */
  counts(): { threads: number; fast_waiting: number; slow_waiting: number; sliced: number };
  /** Ends idle threads now instead of later. */
  close(): void;
}

interface WorkOrder {
  share: Share;
  signal?: AbortSignal | undefined;
}

export type Outcome<Answer> =
  | { status: 'done'; answer: Answer }
  /** Caused by the request itself. */
  | { status: 'timeout' | 'out_of_memory' | 'crashed' }
  /** Too many requests of this share, or in total, are waiting. */
  | { status: 'busy'; retry_after_s: number }
  /** The share has used up its processor time for slow requests. */
  | { status: 'over_budget'; retry_after_s: number };

export interface WorkerPoolOptions {
  places?: number;
  slow_places?: number;
  waiting?: number;
  waiting_per_share?: number;
  slow_waiting_per_share?: number;
  slice_ms?: number;
  deadline_ms?: number;
  budget_ms_per_minute?: number;
}

const DEFAULTS = {
  places: 2,
  slow_places: 2,
  waiting: 500,
  waiting_per_share: 64,
  slow_waiting_per_share: 8,
  slice_ms: 50,
  deadline_ms: 1_000,
  budget_ms_per_minute: 6_000,
} as const;

const IDLE_MS = 30_000;
const BUSY = { status: 'busy', retry_after_s: 2 } as const;

export function createWorkerPool(options: WorkerPoolOptions = {}): WorkerPool {
  const limits = { ...DEFAULTS, ...options };
  const { places, slow_places, waiting, waiting_per_share, slow_waiting_per_share, slice_ms, deadline_ms } = limits;
  const fast = createFairQueue({ places, waiting, waiting_per_share });
  const slow = createFairQueue({ places: slow_places, waiting, waiting_per_share: slow_waiting_per_share });
  const spending = createSpending(limits);
  const guests = createSpending({ ...limits, most_ms: limits.budget_ms_per_minute });
  /**
   * Attackers can easily use many networks, so all guests of a rank start in the slow lane while many of them are slow.
   */
  const beginsSlow = ({ key, rank }: Identity): boolean =>
    spending.isSlow(key) || (rank !== 'user' && guests.of(rank) > limits.budget_ms_per_minute / 6);
  let sliced = 0;
  const threads = { fast: threadStore(places, false), slow: threadStore(slow_places, true) };

  /**
   * Runs one attempt in a slot of `lane` and releases the slot; null if the request must start again in the slow lane.
   */
  const attempt = async (lane: FairQueue, module: string, request: unknown, order: WorkOrder) => {
    const { share, signal } = order;
    const { key, rank } = identityOf(share);
    let held = lane;
    let chargedMs = 0;
    const charge = (usedMs: number): void => {
      spending.add(key, usedMs - chargedMs);
      if (rank !== 'user') guests.add(rank, usedMs - chargedMs);
      chargedMs = usedMs;
    };
    const mayGoOn = (usedMs: number): boolean => {
      charge(usedMs);
      if (held === slow) return true;
      sliced++;
      if (!slow.takeNow(share)) return false;
      held.giveBack(share);
      held = slow;
      // This thread is slow from now on, so the next request in the fast lane gets another one.
      threads.fast.release(module);
      threads.slow.adopt();
      return true;
    };
    const thread = threads[lane === slow ? 'slow' : 'fast'].take();
    try {
      const run = await thread.run(module, request, { slice_ms, mayGoOn, deadline_ms, signal });
      if ('cpu_ms' in run && run.cpu_ms > slice_ms) charge(run.cpu_ms);
      const store = threads[held === slow ? 'slow' : 'fast'];
      if (run.end === 'done' || run.end === 'thrown') store.keep(thread);
      else store.replace(thread, module);
      return run;
    } finally {
      held.giveBack(share);
    }
  };

  /** Null as soon as the request has a slot of the lane. */
  const waitIn = async (lane: FairQueue, { key }: Identity, { share, signal }: WorkOrder) => {
    const waitS = spending.waitOf(key);
    if (waitS > 0) return { status: 'over_budget', retry_after_s: waitS } as const;
    const taken = await lane.take(share, signal);
    if (taken === 'left') throw signal?.reason;
    return taken === 'busy' ? BUSY : null;
  };

  const run = async <Request, Answer>(
    { module }: WorkKind<Request, Answer>,
    request: Request,
    order: WorkOrder,
  ): Promise<Outcome<Answer>> => {
    const { share, signal } = order;
    const identity = identityOf(share);
    for (let lane = beginsSlow(identity) ? slow : fast; ; lane = slow) {
      const refusal = await waitIn(lane, identity, order);
      if (refusal !== null) return refusal;
      // Time spent by the share while the request waited also counts.
      if ((lane === fast && beginsSlow(identity)) || spending.waitOf(identity.key) > 0) {
        lane.giveBack(share);
        continue;
      }
      const ended = await attempt(lane, module, request, order);
      if (ended.end !== 'sliced') return outcomeOf<Answer>(ended, signal);
    }
  };
  return {
    run,
    counts: () => ({
      threads: threads.fast.count() + threads.slow.count(),
      fast_waiting: fast.counts().waiting,
      slow_waiting: slow.counts().waiting,
      sliced,
    }),
    close: () => {
      threads.fast.close();
      threads.slow.close();
    },
  };
}

function outcomeOf<Answer>(
  ended: Exclude<ThreadRun, { end: 'sliced' }>,
  signal: AbortSignal | undefined,
): Outcome<Answer> {
  switch (ended.end) {
    case 'done':
      return { status: 'done', answer: ended.answer as Answer };
    case 'thrown':
      throw ended.error;
    case 'aborted':
      throw signal?.reason;
    case 'not_started':
      return BUSY;
    default:
      return { status: ended.end };
  }
}

/** The threads of one lane: idle ones, and their total number. Idle threads do not keep the process alive. */
function threadStore(mostIdle: number, is_slow: boolean) {
  const idle: { thread: Thread; timer: NodeJS.Timeout }[] = [];
  let count = 0;
  const start = (): Thread => {
    count++;
    return startThread({ is_slow });
  };
  const end = (thread: Thread): void => {
    count--;
    thread.end();
  };
  const keep = (thread: Thread): void => {
    if (idle.length >= mostIdle) {
      end(thread);
      return;
    }
    thread.hold(false);
    const timer = setTimeout(() => {
      idle.splice(idle.indexOf(entry), 1);
      end(thread);
    }, IDLE_MS).unref();
    const entry = { thread, timer };
    idle.push(entry);
  };
  /** Starts a thread in advance, so that the next request does not wait for it. */
  const prepare = (module: string): void => {
    if (idle.length >= mostIdle) return;
    const fresh = start();
    fresh.warm(module);
    keep(fresh);
  };
  return {
    take: (): Thread => {
      const entry = idle.findLast(({ thread }) => !thread.is_warming) ?? idle.at(-1);
      if (entry !== undefined) idle.splice(idle.indexOf(entry), 1);
      clearTimeout(entry?.timer);
      const thread = entry?.thread ?? start();
      thread.hold(true);
      return thread;
    },
    keep,
    replace: (thread: Thread, module: string): void => {
      end(thread);
      prepare(module);
    },
    /** Removes a thread of this lane that has moved to another. */
    release: (module: string): void => {
      count--;
      prepare(module);
    },
    adopt: (): void => {
      count++;
    },
    count: () => count,
    close: () => {
      for (const { thread, timer } of idle.splice(0)) {
        clearTimeout(timer);
        end(thread);
      }
    },
  };
}

/** The pool of a serving thread. Each serving thread has its own lanes and slots. */
export const worker_pool: WorkerPool = createWorkerPool();
