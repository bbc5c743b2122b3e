import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import { lockUser } from '../users/users.ts';
import { openReceiptKey, statusEvent } from './attempt.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask, notStartable, queueFull } from './refusals.ts';
import { wholeTask } from './task.ts';
import { appendEvents } from './task-events.ts';
import { countQueue, findTask, queueTask } from './tasks.ts';

export const startTask =
  ({ db, clock, keys, signals, giveTurns, queue_per_user }: TasksDeps): Handler<typeof tasksContract.startTask> =>
  async ({ params, caller, headers }) => {
    const of = { user_id: caller.user_id, id: params.id };
    const { traceparent } = headers;
    const now = isoTime(clock.now());
    const task = await db.transaction().execute(async (trx) => {
      // Held so that starts that race cannot pass the limit of the queue together.
      if (!(await lockUser(trx, of.user_id))) throw noSuchTask();
      const queued = await queueTask(trx, of, now, typeof traceparent === 'string' ? traceparent.slice(0, 200) : null);
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
    return json(wholeTask(task, openReceiptKey(keys, task)), { status: 202 });
  };
