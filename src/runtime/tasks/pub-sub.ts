import { setTimeout as sleep } from 'node:timers/promises';
import { ALONE, type Threads } from '#core/threads/threads.ts';

/** Tells those who wait for a task that it has changed: in all threads of this process at once, in others by polling. */
export interface TaskChannel {
  publish(taskId: string): void;
  /** Resolves when this process publishes a change of the task, after `most_ms`, or when `signal` aborts. */
  next(taskId: string, mostMs: number, signal: AbortSignal): Promise<void>;
  /** Also resolves when any process has written an event after `seq`. */
  nextEvent(taskId: string, seq: number, mostMs: number, signal: AbortSignal): Promise<void>;
}

interface TaskChannelOptions {
  /** The number of the newest event of each of these tasks that has one. */
  newest(taskIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  threads?: Threads | undefined;
}

const POLL_MS = 500;

export function taskChannel({ newest, threads = ALONE }: TaskChannelOptions): TaskChannel {
  const waiting = new Map<string, Set<() => void>>();
  const readers = new Set<{ task_id: string; seq: number }>();
  let isPolling = false;
  const wake = (taskId: string): void => {
    for (const wakeOne of waiting.get(taskId) ?? []) wakeOne();
  };
  const wakeInEach = threads.inEach('tasks.changed', async (taskId: string) => wake(taskId));

  /** One query for all who read, however many they are. */
  const poll = async (): Promise<void> => {
    if (isPolling) return;
    isPolling = true;
    while (readers.size > 0) {
      await sleep(POLL_MS);
      // Nothing is found while the database is unavailable.
      const seqs = await newest([...new Set([...readers].map(({ task_id }) => task_id))]).catch(() => NONE);
      for (const { task_id, seq } of readers) if ((seqs.get(task_id) ?? 0) > seq) wake(task_id);
    }
    isPolling = false;
  };

  const next: TaskChannel['next'] = (taskId, mostMs, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const ofTask = waiting.get(taskId) ?? new Set();
      waiting.set(taskId, ofTask);
      const end = () => {
        ofTask.delete(end);
        if (ofTask.size === 0 && waiting.get(taskId) === ofTask) waiting.delete(taskId);
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, mostMs);
      ofTask.add(end);
      signal.addEventListener('abort', end, { once: true });
    });

  return {
    // Those who miss it poll.
    publish: (taskId) => void wakeInEach(taskId).catch(() => {}),
    next,
    nextEvent: async (task_id, seq, mostMs, signal) => {
      const reader = { task_id, seq };
      readers.add(reader);
      void poll();
      await next(task_id, mostMs, signal);
      readers.delete(reader);
    },
  };
}

const NONE: ReadonlyMap<string, number> = new Map();
