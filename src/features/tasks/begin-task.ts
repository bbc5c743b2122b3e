import { isoTime } from '../../platform/clock.ts';
import { lockUser } from '../users/users.ts';
import { statusEvent } from './attempt.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask, notStartable, queueFull } from './refusals.ts';
import type { Task } from './task.ts';
import { appendEvents } from './task-events.ts';
import { countQueue, findTask, type Owned, queueTask } from './tasks.ts';

/** Puts a task to work when its turn comes. `traceparent` makes its run part of the caller's own trace. */
export async function beginTask(deps: TasksDeps, of: Owned, traceparent: string | null): Promise<Task> {
  const { db, clock, signals, giveTurns, queue_per_user } = deps;
  const now = isoTime(clock.now());
  const task = await db.transaction().execute(async (trx) => {
    // Held so that starts that race cannot pass the limit of the queue together.
    if (!(await lockUser(trx, of.user_id))) throw noSuchTask();
    const queued = await queueTask(trx, of, now, traceparent);
    if (queued === undefined) {
      const known = await findTask(trx, of);
      throw known === undefined ? noSuchTask() : notStartable(known.status);
    }
    if ((await countQueue(trx, of.user_id)) > queue_per_user) throw queueFull(queue_per_user);
    await appendEvents(trx, queued.id, [statusEvent(queued)], now);
    return queued;
  });
  signals.changed(task.id);
  await giveTurns(of.user_id);
  return task;
}
