import { Worker } from 'node:worker_threads';
import type { Log } from '../../../platform/log.ts';
import type { FollowOptions, FromWorker, ToWorker } from './follow-forever.ts';

/** The serving thread's side of a thread that builds an index. */

const RESTART_MS = 1_000;
const CLOSE_MS = 3_000;

export interface BuildingThread {
  /** Resolves when everything that was committed before the call is in the state that was given last. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface ThreadOptions<State> {
  /** A file that calls `followForever`. */
  entry: URL;
  /** `FollowOptions`, and what else the entry wants. */
  data: FollowOptions;
  /** What is built, for the log. */
  name: string;
  log: Log;
  onState(state: State): void;
}

/** Starts the thread, and again where it ends by itself; what was built stays in use meanwhile. */
export function buildingThread<State>({ entry, data, name, log, onState }: ThreadOptions<State>): BuildingThread {
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  let lastId = 0;
  let closing = false;
  let restart: NodeJS.Timeout | undefined;
  const start = (): Worker => {
    const worker = new Worker(entry, { workerData: data });
    worker.on('message', (message: FromWorker<State>) => {
      if (message.kind === 'state') onState(message.state);
      else if (message.kind === 'failed') log.warn({ reason: message.message }, `${name} cannot follow the database`);
      else settle(message.id);
    });
    worker.on('error', (error) => log.error({ error }, `the thread of ${name} failed`));
    worker.on('exit', () => {
      if (closing) return;
      restart = setTimeout(() => {
        thread = start();
        for (const id of waiting.keys()) ask({ kind: 'refresh', id });
      }, RESTART_MS);
    });
    return worker;
  };
  let thread = start();
  const ask = (message: ToWorker): void => thread.postMessage(message);
  const settle = (id: number): void => {
    waiting.get(id)?.resolve();
    waiting.delete(id);
  };
  return {
    refresh(): Promise<void> {
      if (closing) return Promise.reject(new Error(`It is closed: ${name}.`));
      const promised = Promise.withResolvers<void>();
      waiting.set(++lastId, promised);
      ask({ kind: 'refresh', id: lastId });
      return promised.promise;
    },
    async close(): Promise<void> {
      if (closing) return;
      closing = true;
      clearTimeout(restart);
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      const late = setTimeout(() => thread.terminate(), CLOSE_MS);
      ask({ kind: 'close' });
      if (thread.threadId !== -1) await ended;
      clearTimeout(late);
      for (const { reject } of waiting.values()) reject(new Error(`It was closed: ${name}.`));
    },
  };
}
