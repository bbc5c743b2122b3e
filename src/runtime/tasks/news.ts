import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskSignals } from './signals.ts';

/** What other processes did, found out for all watchers of this one together: one query, however many they are. */

/** Resolves when the task may have events after `seq`, after `most_ms`, or when `signal` is aborted. */
export type AwaitNews = (task_id: string, seq: number, most_ms: number, signal: AbortSignal) => Promise<void>;

interface NewsDeps {
  signals: TaskSignals;
  /** The number of the newest event of each of these tasks that has one. */
  newest(task_ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

const LOOK_EVERY_MS = 500;

export function awaitNews({ signals, newest }: NewsDeps): AwaitNews {
  const waiting = new Set<{ task_id: string; seq: number }>();
  let looking = false;

  const lookWhileAnyoneWaits = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    while (waiting.size > 0) {
      await sleep(LOOK_EVERY_MS);
      // While the database is away there are no news.
      const seqs = await newest([...new Set([...waiting].map((entry) => entry.task_id))]).catch(() => NONE);
      for (const { task_id, seq } of waiting) if ((seqs.get(task_id) ?? 0) > seq) signals.wake(task_id);
    }
    looking = false;
  };

  return async (task_id, seq, most_ms, signal) => {
    const waiter = { task_id, seq };
    waiting.add(waiter);
    lookWhileAnyoneWaits();
    await signals.wait(task_id, most_ms, signal);
    waiting.delete(waiter);
  };
}

const NONE: ReadonlyMap<string, number> = new Map();
