import { isoTime } from '#core/clock/clock.ts';
import type { TasksDeps } from './deps.ts';
import { shownTask, type Task } from './task.ts';
import { appendEvents, statusEvent } from './task-events.ts';
import { type Owned, rejectAsking } from './tasks.ts';

/** Ends a task whose user declines what it asks; undefined if it does not ask any more. */
export function declineTask(
  { db, clock }: Pick<TasksDeps, 'db' | 'clock'>,
  of: Owned,
  known: Task,
): Promise<Task | undefined> {
  const now = isoTime(clock.now());
  const detail = `You declined what the run needs. ${shownTask(known).error?.detail ?? ''}`.trim();
  return db.transaction().execute(async (trx) => {
    const ended = await rejectAsking(trx, of, JSON.stringify({ code: 'declined', detail }), now);
    if (ended !== undefined) await appendEvents(trx, ended.id, [statusEvent(ended)], now);
    return ended;
  });
}
