import { ALONE, type Threads } from '#core/threads/threads.ts';

/** Nudges within one process: what another process did is found by looking again soon. */
export interface TaskSignals {
  /** Something about this task has changed. */
  changed(task_id: string): void;
  /** The same, for those who wait in this thread. */
  wake(task_id: string): void;
  /** Resolves at the next change of the task, after `most_ms`, or when `signal` is aborted. */
  wait(task_id: string, most_ms: number, signal: AbortSignal): Promise<void>;
}

export function taskSignals(threads: Threads = ALONE): TaskSignals {
  const waiting = new Map<string, Set<() => void>>();
  const wake = (task_id: string): void => {
    for (const wake of waiting.get(task_id) ?? []) wake();
  };
  const wakeAll = threads.inEach('tasks.changed', async (task_id: string) => wake(task_id));
  return {
    wake,
    // Whoever does not hear of it looks again soon.
    changed: (task_id) => void wakeAll(task_id).catch(() => {}),
    wait: (task_id, most_ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const of = waiting.get(task_id) ?? new Set();
        waiting.set(task_id, of);
        const wake = () => {
          of.delete(wake);
          if (of.size === 0 && waiting.get(task_id) === of) waiting.delete(task_id);
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, most_ms);
        of.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      }),
  };
}
