import { CapstanError } from './capstan-error.ts';
import type { Call, CallOptions } from './client.ts';
import { pause } from './pause.ts';
import { FINAL_STATUSES, type TaskEvent } from './stream-items.ts';

/** A task's events until it has ended, over as many connections as that takes. */

const LATER_MS = 1_000;
/** Whatever the service asks for: neither a storm of connections nor none any more. */
const LEAST_WAIT_MS = 100;
const MOST_WAIT_MS = 60_000;
/** Connections in a row that break before they have told anything new. */
const MOST_FAILURES = 5;

export async function* watchTask(
  call: Call,
  input: { id: string },
  options: CallOptions = {},
): AsyncGenerator<TaskEvent, void, void> {
  let lastId = options.headers?.['last-event-id'] ?? '';
  let waitMs = LATER_MS;
  const onRetry = (ms: number) => {
    waitMs = Math.min(Math.max(ms, LEAST_WAIT_MS), MOST_WAIT_MS);
  };
  for (let failures = 0; ; ) {
    const headers = { ...options.headers, ...(lastId === '' ? {} : { 'last-event-id': lastId }) };
    const { body } = await call('runtime.tasks.watch', input, { ...options, headers, onRetry });
    let told = 0;
    try {
      for await (const event of body) {
        told++;
        if (event.id !== '') lastId = event.id;
        yield event;
        if (event.event === 'status' && FINAL_STATUSES.includes(event.data.status)) return;
      }
      failures = 0;
    } catch (cause) {
      options.signal?.throwIfAborted();
      failures = told > 0 ? 1 : failures + 1;
      if (failures > MOST_FAILURES)
        throw new CapstanError({
          kind: 'network',
          code: 'sdk.network',
          detail: 'The stream keeps breaking off.',
          cause,
        });
    }
    // Nothing more is told of a task that had ended before.
    if (told === 0 && failures === 0 && (await hasEnded(call, input, options))) return;
    await pause(waitMs, options.signal);
  }
}

async function hasEnded(call: Call, input: { id: string }, { signal, token }: CallOptions): Promise<boolean> {
  return FINAL_STATUSES.includes((await call('runtime.tasks.get', input, { signal, token })).body.status);
}
