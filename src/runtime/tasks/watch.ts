import type { Handler } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask } from './refusals.ts';
import { findTask } from './tasks.ts';
import { watchEvents } from './watch-events.ts';

export const watchTask =
  (deps: TasksDeps): Handler<typeof tasksContract.watch> =>
  async ({ params, caller, headers, signal }) => {
    const of = { user_id: caller.user_id, id: params.id };
    const after = readEventId(headers['last-event-id']);
    if ((await findTask(deps.db, of)) === undefined) throw noSuchTask();
    return {
      media_type: 'text/event-stream',
      body: watchEvents(deps, of, after, AbortSignal.any([signal, deps.stopping])),
      // Proxies that gather answers before they pass them on are told not to.
      headers: { 'x-accel-buffering': 'no' },
    };
  };

function readEventId(text: string | string[] | undefined): number {
  if (text === undefined || text === '') return 0;
  if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return Number(text);
  throw new Problem(
    'invalid_request',
    'tasks.event_id_unfit',
    'Last-Event-ID must be the id of an event of this stream: a whole number. Leave it out to see all.',
  );
}
