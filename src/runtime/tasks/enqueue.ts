import { requireProven } from '#accounts/quotas/unproven.ts';
import { lockUser } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import { takeFrom } from '#core/limits/rate-windows.ts';
import type { TasksDeps } from './deps.ts';
import { makeTask } from './make-task.ts';
import { noSuchTask, notStartable, queueFull, tooManyStarts } from './refusals.ts';
import type { Task } from './task.ts';
import { appendEvents, statusEvent } from './task-events.ts';
import { countQueue, findTask, type Owned, queueTask, removeTask } from './tasks.ts';

/**
 * First-party scripts are cheap and connections of the user run on other machines. A rig asks for itself where it takes skills of others,
 * and every model request does.
 */
const needsProof = ({ capability_kind, execution_class }: Task): boolean =>
  execution_class === 'prompt' || capability_kind === 'listing' || capability_kind === 'capability';

const DAY_MS = 86_400_000;

/** Queues a task for its user's turn. Its run is linked to the span that `traceparent` names. */
export async function enqueueTask(deps: TasksDeps, of: Owned, traceparent: string | null): Promise<Task> {
  const { db, clock, channel, scheduler, queue_per_user, starts_per_day, storage } = deps;
  const now = isoTime(clock.now());
  // This limits receipts, which are never deleted.
  const starts = { name: 'task-starts', count: starts_per_day, window_ms: DAY_MS };
  const takeStart = async (trx: TasksDeps['db'], userId: string): Promise<void> => {
    const { is_free, wait_ms } = await takeFrom(trx, starts, userId, clock.now());
    if (!is_free) throw tooManyStarts(starts_per_day, wait_ms);
  };
  const task = await db.transaction().execute(async (trx) => {
    // Held so that starts that race cannot pass the limit of the queue together.
    if (!(await lockUser(trx, of.user_id))) throw noSuchTask();
    // There must be storage left for its output.
    await storage.require(trx, of.user_id, 'tasks');
    const queued = await queueTask(trx, of, now, traceparent);
    if (queued === undefined) {
      const known = await findTask(trx, of);
      throw known === undefined ? noSuchTask() : notStartable(known.status);
    }
    if (needsProof(queued)) await requireProven(trx, of.user_id);
    if ((await countQueue(trx, of.user_id)) > queue_per_user) throw queueFull(queue_per_user);
    await takeStart(trx, of.user_id);
    await appendEvents(trx, queued.id, [statusEvent(queued)], now);
    return queued;
  });
  channel.publish(task.id);
  await scheduler.dispatch(of.user_id);
  return task;
}

interface RigOrder {
  /** Its id or name. */
  rig: string;
  version?: string | undefined;
  input?: unknown;
  title?: string | undefined;
}

/** Queues a task that was made for this; if it cannot be queued, it is removed, because nobody knows of it. */
export async function enqueueMade(deps: TasksDeps, of: Owned, traceparent: string | null): Promise<Task> {
  try {
    return await enqueueTask(deps, of, traceparent);
  } catch (error) {
    await removeTask(deps.db, of);
    throw error;
  }
}

/** Makes a task of a rig and queues it. */
export async function enqueueRig(
  deps: TasksDeps,
  user_id: string,
  { rig, version, input, title }: RigOrder,
  traceparent: string | null,
): Promise<Task> {
  const capability = { kind: 'rig' as const, ref: rig, version };
  const task = await makeTask(deps, user_id, {
    capability,
    input: input ?? {},
    ...defined({ title }),
  });
  return enqueueMade(deps, { user_id, id: task.id }, traceparent);
}
