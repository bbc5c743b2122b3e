import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import type { TaskEventRow } from '../../platform/db/schema-execution.ts';
import type { TaskSignals } from './signals.ts';
import { isFinal } from './states.ts';
import { eventsAfter } from './task-events.ts';
import { findTask, type Owned } from './tasks.ts';

/** A task's events as server-sent events, from any number on, until it has ended. */

export interface WatchDeps {
  db: Kysely<Schema>;
  signals: TaskSignals;
}

/** How soon what another process did is seen. */
const LOOK_AGAIN_MS = 500;
/** Proxies cut connections on which nothing is said. */
const KEEP_ALIVE_MS = 15_000;

export async function* watchEvents(deps: WatchDeps, of: Owned, after: number, signal: AbortSignal) {
  let seq = after;
  let said_at = performance.now();
  // Something at once, so that the client knows the stream stands.
  yield 'retry: 1000\n\n';
  while (!signal.aborted) {
    // Before the events: what is written after this look is read by the next one.
    const task = await findTask(deps.db, of);
    const events = await eventsAfter(deps.db, of.id, seq);
    for (const event of events) {
      seq = event.seq;
      yield frame(event);
    }
    if (events.length > 0) said_at = performance.now();
    else if (task === undefined || isFinal(task.status)) return;
    else {
      if (performance.now() - said_at >= KEEP_ALIVE_MS) {
        said_at = performance.now();
        yield ': still here\n\n';
      }
      await deps.signals.wait(of.id, LOOK_AGAIN_MS, signal);
    }
  }
}

const frame = ({ seq, type, at, data }: TaskEventRow): string =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ at, ...(JSON.parse(data) as object) })}\n\n`;
