/** Nudges within one process: what another process did is found by looking again soon. */
export interface TaskSignals {
  /** Something about this task has changed. */
  changed(task_id: string): void;
  /** Resolves at the next change of the task, after `most_ms`, or when `signal` is aborted. */
  wait(task_id: string, most_ms: number, signal: AbortSignal): Promise<void>;
}

export function taskSignals(): TaskSignals {
  const waiting = new Map<string, Set<() => void>>();
  return {
    changed: (task_id) => {
      for (const wake of waiting.get(task_id) ?? []) wake();
    },
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
