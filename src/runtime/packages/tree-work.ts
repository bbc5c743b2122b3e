import { Worker } from 'node:worker_threads';
import { Problem, type ProblemKind } from '#core/problem/problem.ts';
import type { TreeStore } from './tree-store.ts';

/** A TreeStore that works in separate threads. One of them only checks digests, so that a start never waits for an installation. */
export type TreeWork = {
  [M in keyof TreeStore]: (...args: Parameters<TreeStore[M]>) => Promise<ReturnType<TreeStore[M]>>;
} & { close(): Promise<void> };

export interface TreeCall {
  id: number;
  method: keyof TreeStore;
  args: unknown[];
}

export type TreeAnswer = { id: number } & (
  | { value: unknown }
  | { problem: { kind: ProblemKind; code: string; reason: string | undefined; detail: string } }
  | { thrown: unknown }
);

const IDLE_MS = 30_000;
const ENDED = new Error('The thread of the package store ended.');

export function openTreeWork(dir: string): TreeWork {
  const storing = openLane(dir);
  const checking = openLane(dir);
  const on =
    <M extends keyof TreeStore>(lane: Lane, method: M) =>
    (...args: Parameters<TreeStore[M]>) =>
      lane.call(method, args) as Promise<ReturnType<TreeStore[M]>>;
  return {
    measure: on(storing, 'measure'),
    adopt: on(storing, 'adopt'),
    isIntact: on(checking, 'isIntact'),
    has: on(checking, 'has'),
    list: on(storing, 'list'),
    remove: on(storing, 'remove'),
    sweepObjects: on(storing, 'sweepObjects'),
    bytes: on(storing, 'bytes'),
    removeTree: on(storing, 'removeTree'),
    close: async () => {
      await Promise.all([storing.close(), checking.close()]);
    },
  };
}

interface Lane {
  call(method: keyof TreeStore, args: unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

/** One thread, started with the first call and ended when it has had none for a while. */
function openLane(dir: string): Lane {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let calls = 0;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const end = async (reason: Error) => {
    clearTimeout(idle);
    const ending = worker;
    worker = null;
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
    await ending?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./tree-thread.ts', import.meta.url), { env: {}, workerData: { dir } });
    started.on('message', (answer: TreeAnswer) => {
      settle(waiting.get(answer.id), answer);
      waiting.delete(answer.id);
      if (waiting.size > 0) return;
      started.unref();
      idle = setTimeout(() => end(ENDED), IDLE_MS);
      idle.unref();
    });
    // A thread that was ended on purpose no longer belongs to this lane.
    const fail = (error: Error) => (worker === started ? end(error) : undefined);
    started.on('error', fail);
    started.on('exit', () => fail(ENDED));
    return started;
  };
  return {
    call: async (method, args) => {
      clearTimeout(idle);
      worker ??= start();
      worker.ref();
      calls += 1;
      const pending = Promise.withResolvers<unknown>();
      waiting.set(calls, pending);
      worker.postMessage({ id: calls, method, args } satisfies TreeCall);
      return pending.promise;
    },
    close: () => end(ENDED),
  };
}

function settle(pending: PromiseWithResolvers<unknown> | undefined, answer: TreeAnswer): void {
  if ('value' in answer) pending?.resolve(answer.value);
  else if ('problem' in answer) pending?.reject(problemIn(answer.problem));
  else pending?.reject(answer.thrown);
}

const problemIn = ({ kind, code, reason, detail }: Extract<TreeAnswer, { problem: unknown }>['problem']): Problem =>
  new Problem(kind, code, detail, reason === undefined ? {} : { reason });
