import { isoTime } from '#core/clock/clock.ts';
import { beginTask } from './begin-task.ts';
import type { TasksDeps } from './deps.ts';
import { makeTask } from './make-task.ts';
import type { Task } from './task.ts';
import { cancelIdle } from './tasks.ts';

interface RigOrder {
  /** Its id or name. */
  rig: string;
  version?: string | undefined;
  input?: unknown;
  title?: string | undefined;
}

/** A task of a rig, made and started at once; where its turn is refused nothing is left that could be started. */
export async function beginRig(
  deps: TasksDeps,
  user_id: string,
  { rig, version, input, title }: RigOrder,
  traceparent: string | null,
): Promise<Task> {
  const capability = { kind: 'rig' as const, ref: rig, version };
  const task = await makeTask(deps, user_id, {
    capability,
    input: input ?? {},
    ...(title === undefined ? {} : { title }),
  });
  const of = { user_id, id: task.id };
  try {
    return await beginTask(deps, of, traceparent);
  } catch (error) {
    await cancelIdle(deps.db, of, isoTime(deps.clock.now()));
    throw error;
  }
}
