import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { TaskEventRow } from '#core/db/schema-execution.ts';
import type { AwaitNews } from './news.ts';
import { isFinal } from './states.ts';
import { eventsAfter } from './task-events.ts';
import { findTask, type Owned } from './tasks.ts';

/** A task's events as server-sent events, from any number on, until it has ended. */

interface WatchDeps {
  db: Kysely<Schema>;
  awaitNews: AwaitNews;
}

/** Proxies cut connections on which nothing is said. */
const KEEP_ALIVE_MS = 15_000;
/** Then the client comes back by itself, with a credential that is looked at anew. */
const MOST_MS = 600_000;

export async function* watchEvents(deps: WatchDeps, of: Owned, after: number, signal: AbortSignal) {
  let seq = after;
  const ends_at = performance.now() + MOST_MS;
  // Something at once, so that the client knows the stream stands.
  yield 'retry: 1000\n\n';
  for (let quiet = false; !signal.aborted && performance.now() < ends_at; ) {
    // Before the events: what is written after this look is read by the next one.
    const task = await findTask(deps.db, of);
    const events = await eventsAfter(deps.db, of.id, seq);
    for (const event of events) {
      seq = event.seq;
      yield frame(event);
    }
    if (events.length === 0) {
      if (task === undefined || isFinal(task.status)) return;
      if (quiet) yield ': still here\n\n';
      await deps.awaitNews(of.id, seq, KEEP_ALIVE_MS, signal);
    }
    quiet = events.length === 0;
  }
}

const frame = ({ seq, type, at, data }: TaskEventRow): string =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ at, ...(JSON.parse(data) as object) })}\n\n`;
