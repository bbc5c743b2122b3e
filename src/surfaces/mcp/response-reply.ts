import type { Reply } from '#core/http/operation.ts';

/** Converts the library's response to a handler's reply. */

const EVENTS = 'text/event-stream';

export async function replyOf(response: Response): Promise<Reply> {
  const { status, body } = response;
  const media_type = response.headers.get('content-type') ?? 'application/json';
  if (body === null || media_type !== EVENTS) return { status, media_type, body: await response.text() };
  // Tells proxies not to buffer the response.
  return { status, media_type, body, headers: { 'x-accel-buffering': 'no' } };
}

/** Sends a comment immediately, so that the headers leave with the first bytes. */
export async function* begunAtOnce(events: AsyncIterable<string | Uint8Array>): AsyncIterable<string | Uint8Array> {
  yield ': listening\n\n';
  yield* events;
}
