import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ThreadData, ToThread } from './messages.ts';

/** Entry point of a pool thread: imports the module of each kind of work once, and runs one request at a time. */

const { priority } = workerData as ThreadData;

/** For untrusted work only: beside busy programs, a thread that started at the lowest priority would be ready too late. */
function lowerPriority(): void {
  // On other platforms, the priority applies to the whole process.
  if (priority !== null && process.platform === 'linux') setPriority(priority);
}

const say = (message: FromThread): void => parentPort?.postMessage(message);

parentPort?.on('message', async (message: ToThread) => {
  try {
    if (!('request' in message)) {
      await import(message.module).catch(() => {});
      say({ warm: true });
      return;
    }
    const { run } = (await import(message.module)) as { run(request: unknown): unknown };
    lowerPriority();
    const before = process.threadCpuUsage();
    say({ begun: true, thread_id: systemThreadId(), cpu_ms: (before.user + before.system) / 1_000 });
    const answer = await run(message.request);
    const { user, system } = process.threadCpuUsage(before);
    say({ answer, cpu_ms: (user + system) / 1_000 });
  } catch (error) {
    const { name, message: text, stack = '' } = error instanceof Error ? error : new Error(String(error));
    say({ thrown: { name, message: text, stack } });
  }
});

/** The kernel's id of this thread, for lowering its priority; null on other platforms. */
function systemThreadId(): number | null {
  if (process.platform !== 'linux') return null;
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return null;
  }
}
