import { setTimeout as sleep } from 'node:timers/promises';
import { ALONE, type Threads } from '#core/threads/threads.ts';

/** Tells those who wait for a task that it has changed: in all threads of this process at once, in others by polling. */
export interface TaskChannel {
  publish(task_id: string): void;
  /** Resolves when this process publishes a change of the task, after `most_ms`, or when `signal` aborts. */
  next(task_id: string, most_ms: number, signal: AbortSignal): Promise<void>;
  /** Also resolves when any process has written an event after `seq`. */
  nextEvent(task_id: string, seq: number, most_ms: number, signal: AbortSignal): Promise<void>;
}

interface TaskChannelOptions {
  /** The number of the newest event of each of these tasks that has one. */
  newest(task_ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  threads?: Threads | undefined;
}

const POLL_MS = 500;

export function taskChannel({ newest, threads = ALONE }: TaskChannelOptions): TaskChannel {
  const waiting = new Map<string, Set<() => void>>();
  const readers = new Set<{ task_id: string; seq: number }>();
  let is_polling = false;
  const wake = (task_id: string): void => {
    for (const wakeOne of waiting.get(task_id) ?? []) wakeOne();
  };
  const wakeInEach = threads.inEach('tasks.changed', async (task_id: string) => wake(task_id));

  /** One query for all who read, however many they are. */
  const poll = async (): Promise<void> => {
    if (is_polling) return;
    is_polling = true;
    while (readers.size > 0) {
      await sleep(POLL_MS);
      // Nothing is found while the database is unavailable.
      const seqs = await newest([...new Set([...readers].map(({ task_id }) => task_id))]).catch(() => NONE);
      for (const { task_id, seq } of readers) if ((seqs.get(task_id) ?? 0) > seq) wake(task_id);
    }
    is_polling = false;
  };

  const next: TaskChannel['next'] = (task_id, most_ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const of_task = waiting.get(task_id) ?? new Set();
      waiting.set(task_id, of_task);
      const end = () => {
        of_task.delete(end);
        if (of_task.size === 0 && waiting.get(task_id) === of_task) waiting.delete(task_id);
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, most_ms);
      of_task.add(end);
      signal.addEventListener('abort', end, { once: true });
    });

  return {
    // Those who miss it poll.
    publish: (task_id) => void wakeInEach(task_id).catch(() => {}),
    next,
    nextEvent: async (task_id, seq, most_ms, signal) => {
      const reader = { task_id, seq };
      readers.add(reader);
      void poll();
      await next(task_id, most_ms, signal);
      readers.delete(reader);
    },
  };
}

const NONE: ReadonlyMap<string, number> = new Map();
