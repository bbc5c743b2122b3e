import { CapstanError } from './capstan-error.ts';
import type { Call, CallOptions } from './client.ts';
import { pause } from './pause.ts';
import { FINAL_STATUSES, type TaskEvent } from './stream-items.ts';

/** A task's events until it has ended, over as many connections as that takes. */

const LATER_MS = 1_000;
/** Bounds of the wait that the service asks for: neither a storm of connections nor an endless pause. */
const LEAST_WAIT_MS = 100;
const MOST_WAIT_MS = 60_000;
/** Consecutive connections that break without a new event. */
const MOST_FAILURES = 5;

export async function* watchTask(
  call: Call,
  input: { id: string },
  options: CallOptions = {},
): AsyncGenerator<TaskEvent, void, void> {
  let waitMs = LATER_MS;
  const onRetry = (ms: number) => {
    waitMs = Math.min(Math.max(ms, LEAST_WAIT_MS), MOST_WAIT_MS);
  };
  const heard: Heard = { lastId: options.headers?.['last-event-id'] ?? '', count: 0, isFinal: false };
  for (let failures = 0; ; ) {
    const headers = { ...options.headers, ...(heard.lastId === '' ? {} : { 'last-event-id': heard.lastId }) };
    const { body } = await call('runtime.tasks.watch', input, { ...options, headers, onRetry });
    heard.count = 0;
    try {
      yield* listen(body, heard);
      if (heard.isFinal) return;
      failures = 0;
    } catch (cause) {
      options.signal?.throwIfAborted();
      failures = heard.count > 0 ? 1 : failures + 1;
      if (failures > MOST_FAILURES) throw keepsBreaking(cause);
    }
    // A task that had already ended sends no further events.
    if (heard.count === 0 && failures === 0 && (await hasEnded(call, input, options))) return;
    await pause(waitMs, options.signal);
  }
}

interface Heard {
  lastId: string;
  /** Events of this connection. */
  count: number;
  /** Whether the task has ended. */
  isFinal: boolean;
}

/** The events of one connection, up to the last one of the task. */
async function* listen(events: AsyncIterable<TaskEvent>, heard: Heard): AsyncGenerator<TaskEvent, void, void> {
  for await (const event of events) {
    heard.count++;
    if (event.id !== '') heard.lastId = event.id;
    heard.isFinal = event.event === 'status' && FINAL_STATUSES.includes(event.data.status);
    yield event;
    if (heard.isFinal) return;
  }
}

function keepsBreaking(cause: unknown): CapstanError {
  return new CapstanError({ kind: 'network', code: 'sdk.network', detail: 'The stream keeps breaking off.', cause });
}

async function hasEnded(call: Call, input: { id: string }, { signal, token }: CallOptions): Promise<boolean> {
  return FINAL_STATUSES.includes((await call('runtime.tasks.get', input, { signal, token })).body.status);
}
