import { setTimeout as sleep } from 'node:timers/promises';
import type { Task } from '@a2a-js/sdk';
import type { Caller } from '#core/http/caller.ts';
import type { Sdk } from './sdk.ts';
import { shownTask } from './shown-task.ts';
import type { TurnTask } from './turn-tasks.ts';
import { readRan, readTurnTask, rests, type WatchDeps } from './watch.ts';

/** The caller's own tasks; those of others are not found. */
export interface OwnedTasks {
  /** Throws the protocol's error if there is none. */
  find(id: string): Promise<TurnTask>;
  show(task: TurnTask, historyLength?: number): Promise<Task>;
  /** Waits until the task cannot continue on its own, the client disconnects, or the time is over. */
  awaitRest(id: string, mostMs: number): Promise<TurnTask>;
}

export interface CallOf {
  caller: Caller;
  traceparent: string | null;
  /** Aborts when the client disconnects or the service stops. */
  signal: AbortSignal;
}

const LOOK_FIRST_MS = 25;
const LOOK_EVERY_MS = 400;

export function ownedTasks(deps: WatchDeps & { sdk: Sdk }, { caller, signal }: CallOf): OwnedTasks {
  const { forms, errors } = deps.sdk;
  const own = (id: string) => ({ user_id: caller.user_id, id });
  const find = async (id: string): Promise<TurnTask> => {
    const task = await readTurnTask(deps, own(id));
    if (task !== undefined) return task;
    throw new errors.TaskNotFoundError({ message: 'Task not found.', metadata: { taskId: id } });
  };
  return {
    find,
    show: async (task, history_length) => {
      const ran = await readRan(deps, own(task.id), task);
      return forms.Task.fromJSON(shownTask(task, ran, { history_length, artifacts: true }));
    },
    awaitRest: async (id, mostMs) => {
      const endsAt = performance.now() + mostMs;
      for (let waitMs = LOOK_FIRST_MS; ; waitMs = Math.min(waitMs * 2, LOOK_EVERY_MS)) {
        const task = await find(id);
        const leftMs = endsAt - performance.now();
        if (rests(task) || signal.aborted || leftMs <= 0) return task;
        const over = deps.live.get(id)?.over;
        const pause = sleep(over === undefined ? waitMs : leftMs, undefined, { signal, ref: false });
        await Promise.race(over === undefined ? [pause] : [over, pause]).catch(() => {});
      }
    },
  };
}
