import type { TaskEventRow } from '#core/db/schema-execution.ts';
import { coreProblem } from '#core/errors.ts';
import type { Handler } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask } from './refusals.ts';
import { isFinal } from './states.ts';
import { eventsAfter } from './task-events.ts';
import { findTask, type Owned } from './tasks.ts';

export const watchTask =
  (deps: TasksDeps): Handler<typeof tasksContract.watch> =>
  async ({ params, query: { follow }, caller, headers, signal }) => {
    const of = { user_id: caller.user_id, id: params.id };
    const after = readEventId(headers['last-event-id']);
    if ((await findTask(deps.db, of)) === undefined) throw noSuchTask();
    return {
      media_type: 'text/event-stream',
      body: watchEvents(deps, of, { after, follow }, AbortSignal.any([signal, deps.stopping])),
      // Tells proxies not to buffer the response.
      headers: { 'x-accel-buffering': 'no' },
    };
  };

/** Proxies close idle connections. */
const KEEP_ALIVE_MS = 15_000;
/** Afterwards the client reconnects automatically, and its credential is checked again. */
const MOST_MS = 600_000;

/** The events of a task as server-sent events, from any number on, until it has ended. */
async function* watchEvents(
  { db, channel }: Pick<TasksDeps, 'db' | 'channel'>,
  of: Owned,
  { after, follow }: { after: number; follow: boolean },
  signal: AbortSignal,
) {
  let seq = after;
  const endsAt = performance.now() + MOST_MS;
  // Sent at once, so that the client knows that the stream is open.
  yield 'retry: 1000\n\n';
  for (let quiet = false; !signal.aborted && performance.now() < endsAt; ) {
    // Read before the events: later events are read in the next round.
    const task = await findTask(db, of);
    const events = await eventsAfter(db, of.id, seq);
    for (const event of events) {
      seq = event.seq;
      yield frame(event);
    }
    if (events.length === 0) {
      if (task === undefined || isFinal(task.status) || !follow) return;
      if (quiet) yield ': still here\n\n';
      await channel.nextEvent(of.id, seq, KEEP_ALIVE_MS, signal);
    }
    quiet = events.length === 0;
  }
}

const frame = ({ seq, type, at, data }: TaskEventRow): string =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ at, ...(JSON.parse(data) as object) })}\n\n`;

function readEventId(text: string | string[] | undefined): number {
  if (text === undefined || text === '') return 0;
  if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return Number(text);
  throw coreProblem(
    'http.invalid',
    'Last-Event-ID must be the id of an event of this stream: a whole number. Omit it to see all.',
    { reason: 'input' },
  );
}
