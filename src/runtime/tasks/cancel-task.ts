import { isoTime } from '#core/clock/clock.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask, notChangeable } from './refusals.ts';
import type { Task } from './task.ts';
import { appendEvents, statusEvent } from './task-events.ts';
import { cancelIdle, findTask, type Owned, requestCancel } from './tasks.ts';

/** Cancels at once if nothing runs, otherwise within a second. */
export async function cancelTask({ db, clock, scheduler }: TasksDeps, of: Owned): Promise<Task> {
  const now = isoTime(clock.now());
  const ended = await db.transaction().execute(async (trx) => {
    const cancelled = await cancelIdle(trx, of, now);
    if (cancelled !== undefined) await appendEvents(trx, cancelled.id, [statusEvent(cancelled)], now);
    return cancelled;
  });
  if (ended !== undefined) {
    await scheduler.dispatch(of.user_id);
    return ended;
  }
  const requested = await requestCancel(db, of, now);
  if (requested !== undefined) {
    await scheduler.hurry(of);
    return requested;
  }
  const asked = await findTask(db, of);
  if (asked === undefined) throw noSuchTask();
  // Cancelling a cancelled task is not an error.
  if (asked.status !== 'cancelled') throw notChangeable(asked.status);
  return asked;
}
