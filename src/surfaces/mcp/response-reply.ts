import type { Reply } from '#core/http/operation.ts';

/** The library's answer as a handler's. */

const EVENTS = 'text/event-stream';

export async function replyOf(response: Response): Promise<Reply> {
  const { status, body } = response;
  const media_type = response.headers.get('content-type') ?? 'application/json';
  if (body === null || media_type !== EVENTS) return { status, media_type, body: await response.text() };
  // Proxies that gather answers before they pass them on are told not to.
  return { status, media_type, body, headers: { 'x-accel-buffering': 'no' } };
}

/** A stream that says at once that it is one: its headers leave with the first bytes. */
export async function* begunAtOnce(events: AsyncIterable<string | Uint8Array>): AsyncIterable<string | Uint8Array> {
  yield ': listening\n\n';
  yield* events;
}
