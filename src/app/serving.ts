import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, Worker } from 'node:worker_threads';
import { refuseTakenPort } from '#core/http/taken-port.ts';
import type { Log } from '#core/log.ts';
import { type FirstThread, firstThread } from '#core/threads/first.ts';
import type { FurtherOptions } from '#core/threads/further.ts';
import { logHangs, newHeartbeats, startHeartbeat, watchHeartbeat } from '#core/threads/heartbeat.ts';
import type { Line } from '#core/threads/line.ts';
import { type App, type AppOptions, createApp } from './app.ts';
import type { Config } from './settings.ts';

/** The service in several threads. The first is the caller's, and it alone runs jobs. */
interface Serving extends App {
  /** Resolves if a thread ends unexpectedly or hangs: its requests are lost, so the process should drain and exit. */
  broken: Promise<Error>;
}

/** Starts `CAPSTAN_THREADS` threads, at least two. */
export async function openServing(options: AppOptions & { role?: 'serve' | 'quiet' }): Promise<Serving> {
  const { config, log } = options;
  const first = firstThread(config.server.threads);
  const app = await createApp({ ...options, threads: first });
  const further = furtherThreads(first, config, log);
  const close = async (graceMs = 0): Promise<void> => {
    // The first thread keeps serving calls of the others until they have ended.
    await Promise.all([app.drain(graceMs), further.close(graceMs)]);
    await app.close();
  };
  return {
    ...app,
    broken: further.broken,
    close,
    listen: async () => {
      const { host, port: wanted } = config.server;
      await refuseTakenPort(host, wanted);
      const listening = await app.listen();
      await further.listen(listening.port);
      return listening;
    },
  };
}

/** Data for a further thread. */
export interface ServingThreadData extends FurtherOptions {
  config: Config;
  /** Heartbeats of all threads (core/threads). */
  heartbeats: Int32Array;
}

interface Further {
  worker: Worker;
  line: Line;
  open: Promise<unknown>;
}

/** A thread that does not end on its own is terminated this long after its grace period. */
const LATE_MS = 1_000;

function furtherThreads(first: FirstThread, config: Config, log: Log) {
  const broken = Promise.withResolvers<Error>();
  let closing = false;
  const heartbeats = newHeartbeats(first.count);
  const stopHeartbeat = startHeartbeat(heartbeats, first.number);
  const watching: (() => void)[] = [];
  const watch = (number: number): void => {
    const stop = watchHeartbeat({
      heartbeats,
      number,
      ...logHangs(log, number),
      onHung: (silent_ms) => {
        log.fatal({ thread: number, silent_ms }, 'a serving thread is unresponsive');
        broken.resolve(new Error(`Serving thread ${number} is unresponsive: no heartbeat for ${silent_ms} ms.`));
      },
    });
    watching.push(stop);
  };
  const start = (number: number): Further => {
    const { port1, port2 } = new MessageChannel();
    const data: ServingThreadData = { config, heartbeats, count: first.count, number, port: port2 };
    const worker = new Worker(new URL('./serving-thread.ts', import.meta.url), {
      workerData: data,
      transferList: [port2],
      name: `serving ${number}`,
    });
    const line = first.admit(number, port1);
    const open = once(worker, 'message');
    // `listen` and `broken` report the failure.
    open.then(
      () => closing || watch(number),
      () => {},
    );
    worker.on('error', (error) => log.fatal({ error, thread: number }, 'a serving thread failed'));
    worker.on('exit', (code) => {
      if (!closing) broken.resolve(new Error(`Serving thread ${number} exited with code ${code}.`));
    });
    return { worker, line, open };
  };
  const further = Array.from({ length: first.count - 1 }, (_, i) => start(i + 2));
  return {
    broken: broken.promise,
    listen: async (port: number): Promise<void> => {
      await Promise.all(
        further.map(async ({ line, open }) => {
          await Promise.race([open, broken.promise.then((error) => Promise.reject(error))]);
          await line.call('listen', [port]);
        }),
      );
    },
    close: async (graceMs: number): Promise<void> => {
      closing = true;
      for (const stop of watching) stop();
      await Promise.all(further.map((further) => close(further, graceMs)));
      stopHeartbeat();
    },
  };
}

async function close({ worker, line, open }: Further, graceMs: number): Promise<void> {
  const late = new AbortController();
  const ended = open.then(() => line.call('close', [graceMs])).catch(() => {});
  await Promise.race([ended, sleep(graceMs + LATE_MS, null, { signal: late.signal }).catch(() => {})]);
  late.abort();
  line.close();
  await worker.terminate();
}
